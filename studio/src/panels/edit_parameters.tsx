/** The parameters of the edit, and the layers that the clip has. */
import { execute } from "../commands/history";
import { RemoveLayer } from "../commands/remove_layer";
import { type Layer, layers, operation, parameters, strength } from "../state/edit";
import { route } from "../state/route";
import { segmentOf } from "../ui/format";

export default function EditParameters() {
  const chosen = operation();
  const name = route.value.query.get("segment");
  if (!name) return null;
  if (!chosen) {
    return (
      <section class="section" aria-label="Parameters">
        <h2>
          Edit <span class="faint number">{name}</span>
        </h2>
        <p class="faint small">An edit is a layer on the clip: the original stays, and you can remove the layer at any time.</p>
        {layers.value.length > 0 && <Layers />}
      </section>
    );
  }
  const set = (name: string, value: unknown): void => {
    parameters.value = { ...parameters.value, [name]: value };
  };
  return (
    <section class="section" aria-label="Parameters">
      <h2>
        {chosen.title} <span class="faint number">{name}</span>
      </h2>
      {chosen.about && <p class="small faint">{chosen.about.split("\n")[0]}</p>}
      <label class="column small">
        <span class="number">strength: {strength.value.toFixed(2)}</span>
        <input type="range" min="0" max="2" step="0.05" value={strength.value} onInput={(event) => (strength.value = Number(event.currentTarget.value))} />
      </label>
      {chosen.parameters.map((one) => {
        const value = parameters.value[one.parameter] ?? one.default;
        const title = one.help;
        const help = one.help && <span class="faint">{one.help}</span>;
        if (one.choices.length) {
          return (
            <label key={one.parameter} class="column small" title={title}>
              <span>{one.parameter}</span>
              {help}
              <select value={String(value)} onChange={(event) => set(one.parameter, event.currentTarget.value)}>
                {one.choices.map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </select>
            </label>
          );
        }
        if (typeof one.default === "boolean") {
          return (
            <label key={one.parameter} class="row small" title={title}>
              <input type="checkbox" checked={Boolean(value)} onChange={(event) => set(one.parameter, event.currentTarget.checked)} />
              {one.parameter}
            </label>
          );
        }
        if (typeof one.default === "number") {
          const low = Math.max(one.low ?? -10, -100);
          const high = Math.min(one.high ?? 10, Math.max(10, 5 * Math.abs(one.default)));
          return (
            <label key={one.parameter} class="column small" title={title}>
              <span class="number">
                {one.parameter}: {Number(value).toFixed(2)} {one.unit}
              </span>
              {help}
              <input
                type="range"
                aria-label={one.parameter}
                min={low}
                max={high}
                step={Number.isInteger(one.default) && one.parameter !== "factor" && one.parameter !== "amount" && one.parameter !== "weight" ? 1 : (high - low) / 200}
                value={Number(value)}
                onInput={(event) => set(one.parameter, Number(event.currentTarget.value))}
              />
            </label>
          );
        }
        return (
          <label key={one.parameter} class="column small" title={title}>
            {one.parameter}
            <input
              value={typeof value === "string" ? value : JSON.stringify(value)}
              onChange={(event) => set(one.parameter, valueOf(event.currentTarget.value, one.default))}
            />
          </label>
        );
      })}
      {layers.value.length > 0 && <Layers />}
    </section>
  );
}

/** The clip's stack, the highest layer first: one line for all segments that share a layer. */
function Layers() {
  const stack = new Map<number, Layer[]>();
  for (const layer of layers.value) stack.set(layer.position, [...(stack.get(layer.position) ?? []), layer]);
  return (
    <>
      <h2>Layers of the clip</h2>
      {[...stack].sort(([a], [b]) => b - a).map(([position, parts]) => (
        <div key={position} class="row small" data-layer={position}>
          <span class="grow clipped" title={parts.map(spanOf).join(", ")}>
            {position}. {parts[0]!.operation} <span class="faint number">{parts.length > 1 ? `${parts.length} segments` : spanOf(parts[0]!)}</span>
          </span>
          <button class="bare small" aria-label={`Remove layer ${position}`} title="Take this layer off all its segments" onClick={() => removeLayer(position)}>
            ✕
          </button>
        </div>
      ))}
    </>
  );
}

function spanOf(layer: Layer): string {
  return `${layer.start}–${layer.stop}`;
}

function removeLayer(position: number): void {
  const segment = segmentOf(route.peek().query.get("segment") ?? "");
  if (segment) void execute(new RemoveLayer(segment.clip_id, position));
}

/** What was typed, as the parameter is: a segment becomes an object, a list is read as JSON. */
function valueOf(text: string, standard: unknown): unknown {
  if (Array.isArray(standard)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return standard;
    }
  }
  return segmentOf(text) ?? text;
}
