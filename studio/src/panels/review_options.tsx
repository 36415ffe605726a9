/** How labels are spread, and what the last spreading gave. */
import { threshold, told } from "../state/spreading";

const CERTAINTIES = [0.95, 0.9, 0.8, 0.65, 0.5];

export default function ReviewOptions() {
  return (
    <section class="section" aria-label="Spreading">
      <h2>Spread a label</h2>
      <p class="faint small">
        Segments that are like the examples of a label get it. They count as reviewed once you accept them; what you reject
        is a counterexample the next time.
      </p>
      <div class="options small">
        <label for="review-certainty">Certainty</label>
        <select id="review-certainty" value={String(threshold.value)} onChange={(event) => (threshold.value = Number(event.currentTarget.value))}>
          {CERTAINTIES.map((one) => (
            <option key={one} value={String(one)}>
              {Math.round(100 * one)} % or more
            </option>
          ))}
        </select>
      </div>
      {told.value && (
        <p class="small" role="status" data-testid="spread">
          {told.value}
        </p>
      )}
    </section>
  );
}
