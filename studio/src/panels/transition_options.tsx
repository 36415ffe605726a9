/** From where to where a transition leads, how, and how long it takes. */
import { bank } from "../state/bank";
import { route, setQuery } from "../state/route";

const METHODS: Record<string, string> = {
  direct: "direct: blend of two",
  table: "table: by its table",
  inertial: "inertial: inertialisation",
  dead: "dead: dead blending",
};

export default function TransitionOptions() {
  const words = route.value.query;
  return (
    <section class="section" aria-label="Transition options">
      <h2>Transition</h2>
      <div class="options small">
        <label for="transition-from" title="#12:134 is frame 134 of clip 12">
          From
        </label>
        <input id="transition-from" placeholder="#1:60" value={words.get("from") ?? ""} onChange={(event) => setQuery({ from: event.currentTarget.value })} />
        <label for="transition-to">To</label>
        <input id="transition-to" placeholder="#2:30" value={words.get("to") ?? ""} onChange={(event) => setQuery({ to: event.currentTarget.value, label: null })} />
        <label for="transition-label">or to a label</label>
        <select id="transition-label" value={words.get("label") ?? ""} onChange={(event) => setQuery({ label: event.currentTarget.value })}>
          <option value="">none</option>
          {bank.value?.labels.map((one) => (
            <option key={one.label}>{one.label}</option>
          ))}
        </select>
        <label for="transition-method">Method</label>
        <select id="transition-method" value={words.get("method") ?? "direct"} onChange={(event) => setQuery({ method: event.currentTarget.value })}>
          {Object.entries(METHODS).map(([method, title]) => (
            <option key={method} value={method}>
              {title}
            </option>
          ))}
        </select>
        <label for="transition-secs">Seconds</label>
        <input
          id="transition-secs"
          type="number"
          min="0.2"
          max="10"
          step="0.1"
          value={words.get("secs") ?? "1"}
          onChange={(event) => setQuery({ secs: event.currentTarget.value })}
        />
      </div>
    </section>
  );
}
