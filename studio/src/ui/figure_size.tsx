/** How large the figures of a grid are: all at once, or as the slider says. */
import { cellSize, chooseCellSize } from "./fitted_cells";

const MIDDLE = 11;

export function FigureSize() {
  return (
    <>
      <button class="bare" aria-pressed={!cellSize.value} title="As large as lets all be seen at once" onClick={() => chooseCellSize(cellSize.value ? 0 : MIDDLE)}>
        Fit
      </button>
      <input
        type="range"
        aria-label="Size of the figures"
        title="Size of the figures"
        min="6"
        max="30"
        value={cellSize.value || MIDDLE}
        style={{ width: "3.6rem" }}
        onInput={(event) => chooseCellSize(Number(event.currentTarget.value))}
      />
    </>
  );
}
