/** A label, with its colour. */
import { labelColour } from "../draw/palette";

export function Chip({ label }: { label: string }) {
  return (
    <span class="chip">
      <i style={{ background: labelColour(label) }} />
      <span class="clipped">{label}</span>
    </span>
  );
}
