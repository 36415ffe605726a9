/** What a motion graph is asked for: a path in numbers, a walk, a way to a label. */
import { useSignal } from "@preact/signals";

import { bank } from "../state/bank";
import { followWritten, goTo, graphs, path, walk, wayFrom } from "../state/graph";
import { momentOf } from "../state/moments";
import { route, setQuery } from "../state/route";

export default function GraphOptions() {
  const secs = useSignal(Number(route.peek().query.get("walk") ?? "20"));
  const none = !graphs.value.length;
  const words = route.value.query;
  const labels = bank.value?.labels ?? [];
  if (none) return null;
  return (
    <>
      <section class="section" aria-label="Motion graph options">
        <h2>Graph</h2>
        <div class="options small">
          <label for="graph-name">Motion graph</label>
          <select id="graph-name" value={words.get("name") ?? graphs.value[0] ?? ""} onChange={(event) => setQuery({ name: event.currentTarget.value })}>
            {graphs.value.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <label for="graph-only" title="Use motion with this label alone">
            Only label
          </label>
          <select id="graph-only" value={words.get("only") ?? ""} onChange={(event) => setQuery({ only: event.currentTarget.value })}>
            <option value="">any motion</option>
            {labels.map((one) => (
              <option key={one.label}>{one.label}</option>
            ))}
          </select>
        </div>
      </section>
      <section class="section" aria-label="Follow a path">
        <h2>Follow a path</h2>
        <p class="faint small">Draw it on the ground, or write its points:</p>
        <div class="options small">
          <label for="graph-path">Path in metres</label>
          <input id="graph-path" placeholder="0,0 2,0 2,2" value={written(path.value)} onChange={(event) => followWritten(event.currentTarget.value)} />
        </div>
      </section>
      <section class="section" aria-label="Walk">
        <h2>Walk on and on</h2>
        <div class="options small">
          <label for="graph-secs">Seconds</label>
          <div class="row">
            <input id="graph-secs" class="grow" type="number" min="1" max="300" value={secs.value} onInput={(event) => (secs.value = Number(event.currentTarget.value))} />
            <button onClick={() => walk(secs.value)}>Walk</button>
          </div>
        </div>
      </section>
      <section class="section" aria-label="Shortest way">
        <h2>Shortest way</h2>
        <div class="options small">
          <label for="graph-from" title="#12:134 is frame 134 of clip 12">
            Way from
          </label>
          <input id="graph-from" placeholder="#1:60" value={wayFrom.value} onInput={(event) => (wayFrom.value = event.currentTarget.value.trim())} />
          <label for="graph-to">Way to a label</label>
          <select id="graph-to" disabled={!momentOf(wayFrom.value)} value={words.get("label") ?? ""} onChange={(event) => goTo(event.currentTarget.value)}>
            <option value="">choose…</option>
            {labels.map((one) => (
              <option key={one.label}>{one.label}</option>
            ))}
          </select>
        </div>
      </section>
    </>
  );
}

function written(points: readonly (readonly [number, number])[]): string {
  return points.length > 6 ? "" : points.map((point) => point.map((one) => one.toFixed(1)).join(",")).join(" ");
}
