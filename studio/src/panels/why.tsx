/** Why a match is as near as it is: joints and phases in heat colours; hovering moves the clock and lights the limb. */
import { heatColour, heatGradient } from "../draw/palette";
import { now, playing } from "../state/clock";
import { chosenMatch, explanation, litJoint } from "../state/find";
import { route } from "../state/route";
import { measured } from "../ui/format";

const MOST_PHASES = 24;
const MOST_PARTS = 16;

/** The mean of what is off in each phase: rows are parts, the largest first. */
export function phasesOf(sizes: readonly (readonly number[])[], byPart: readonly number[]): { part: number; values: number[] }[] {
  const frames = sizes.length;
  const n = Math.min(MOST_PHASES, frames);
  const parts = byPart.map((share, part) => ({ part, share })).sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
  return parts.slice(0, MOST_PARTS).map(({ part }) => ({
    part,
    values: Array.from({ length: n }, (_, phase) => {
      const from = Math.floor((phase * frames) / n);
      const to = Math.max(from + 1, Math.floor(((phase + 1) * frames) / n));
      let sum = 0;
      for (let i = from; i < to; i++) sum += sizes[i]![part]!;
      return sum / (to - from);
    }),
  }));
}

export default function Why() {
  const match = chosenMatch.value;
  const why = explanation.value;
  const { query } = route.value;
  const byJoint = !["wpca", "web"].includes(match?.method ?? query.get("by") ?? "");
  if (!match) return query.has("query") && byJoint ? <section class="section why" aria-label="Why" /> : null;
  return (
    <section class={byJoint ? "section why" : "section"} aria-label="Why">
      <h2>
        Why {match.rank}: {match.clip} <span class="faint">{measured(match.mean, match.unit)}</span>
      </h2>
      {why ? <Heat /> : <p class="faint small">{byJoint ? "…" : "Only exact searches measure joint by joint."}</p>}
    </section>
  );
}

function Heat() {
  const why = explanation.value!;
  const rows = phasesOf(why.sizes, why.by_part);
  const most = Math.max(1e-9, ...rows.flatMap((row) => row.values.map(Math.abs)));
  const seconds = why.sizes.length / why.rate_hz;
  return (
    <>
      <table class="heat" onPointerLeave={() => (litJoint.value = null)}>
        <caption class="hidden-from-view">How far each joint is off in each phase of the query, in {why.unit}</caption>
        <colgroup>
          <col style={{ width: "38%" }} />
        </colgroup>
        <tbody>
          {rows.map(({ part, values }) => (
            <tr key={part}>
              <th scope="row" title={`${why.parts[part]!}: ${(100 * why.by_part[part]!).toFixed(0)} % of the distance`}>
                {why.parts[part]}
              </th>
              {values.map((value, phase) => (
                <td
                  key={phase}
                  style={{ background: heatColour(value / most) }}
                  title={`${why.parts[part]!}, ${((phase / values.length) * seconds).toFixed(2)} s: ${value.toFixed(1)} ${why.unit}`}
                  onPointerEnter={() => {
                    playing.value = false;
                    now.value = ((phase + 0.5) / values.length) * seconds;
                    litJoint.value = why.parts[part]!;
                  }}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="row small faint number">
        <span>0 s</span>
        <span class="grow" style={{ textAlign: "center" }}>
          the query's time
        </span>
        <span>{seconds.toFixed(2)} s</span>
      </div>
      <div class="row small faint number">
        <span>0</span>
        <span class="grow" style={{ height: "0.55rem", borderRadius: "3px", background: heatGradient() }} />
        <span>
          {most.toFixed(1)} {why.unit} off
        </span>
      </div>
    </>
  );
}
