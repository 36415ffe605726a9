/** A lane of coloured pieces over the clock: pieces from a start to a stop, in shares of the whole. */
export interface Piece {
  from: number;
  to: number;
  colour: string;
  title: string;
  text?: string;
}

export function Lane({ pieces, label, caption }: { pieces: readonly Piece[]; label: string; caption?: string }) {
  return (
    <div class="lane" role="img" aria-label={label}>
      {caption && <span class="caption-of-lane">{caption}</span>}
      {pieces.map((piece, i) => (
        <span
          key={i}
          title={piece.title}
          style={{ left: `${100 * piece.from}%`, width: `${100 * Math.max(0.001, piece.to - piece.from)}%`, background: piece.colour }}
        >
          {piece.text}
        </span>
      ))}
    </div>
  );
}
