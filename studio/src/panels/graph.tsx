/** Motion graphs: draw a path on the ground and see motion follow it, walk on and on, go from here to a label. */
import { useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { getJson } from "../api/client";
import type { GraphFacts } from "../api/schema";
import { KeepMade } from "../commands/keep_made";
import { heatColour, labelColour, mix, palette } from "../draw/palette";
import type { Line } from "../draw/scene";
import { revision } from "../state/bank";
import { type WayMade, asked, busy, facts, follow, graphWording, graphs, listGraphs, path, problem, shown } from "../state/graph";
import { startJob, underWay } from "../state/jobs";
import { report } from "../state/notices";
import { route } from "../state/route";
import { ClockBar } from "../ui/clock_bar";
import { offerWording } from "../ui/copy";
import { count } from "../ui/format";
import { JobProgress } from "../ui/job_progress";
import { KeepForm } from "../ui/keep_form";
import { Lane, type Piece } from "../ui/lane";
import { StageView } from "../ui/stage_view";
import { Drawing } from "./drawing";

export default function Graph() {
  useSignalEffect(() => {
    void revision.value;
    listGraphs().catch(report);
  });
  useSignalEffect(() => {
    const name = route.value.query.get("name") ?? graphs.value[0];
    if (name) getJson<GraphFacts>(`/graphs/${encodeURIComponent(name)}`).then((answer) => (facts.value = answer), report);
  });
  useEffect(() => offerWording(() => graphWording(route.peek().query.get("name"), asked.peek())), []);
  const told = shown.value?.facts;
  const graphJob = underWay("graph"); // when it is over, the bank says that it has changed, and the graphs are listed
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Motion graph">
        <strong>Motion graph</strong>
        <span class="faint small number clipped" role="status" data-testid="graph">
          {busy.value || (told ? inShort(told) : facts.value ? `${facts.value.transitions.toLocaleString("en")} transitions` : "")}
        </span>
        <span class="gap" />
        <KeepForm disabled={!shown.value} command={(name) => new KeepMade(shown.value!.call, shown.value!.body, name)} />
      </div>
      <Drawing>
        <StageView
          label="The ground, and the motion on it"
          overview
          players={shown.value?.played ?? []}
          lines={lines()}
          drawPath={
            graphs.value.length
              ? (points, done) => {
                  path.value = [...points];
                  if (done && points.length > 1) follow(points);
                }
              : null
          }
        />
        {!graphs.value.length && (
          <div class="state">
            <h1>No motion graph yet</h1>
            <p>A motion graph joins the clips of the bank wherever one can go over into another. Building it takes seconds to minutes; you can go on working meanwhile.</p>
            {graphJob ? (
              <JobProgress job={graphJob} />
            ) : (
              <button class="chief" onClick={() => void startJob("graph", {})}>
                Build the motion graph
              </button>
            )}
          </div>
        )}
        {graphs.value.length > 0 && (
          <div class="caption">
            {problem.value ? (
              <p style={{ color: "var(--reject)" }}>{problem.value}</p>
            ) : (
              <p class="faint">Draw a path on the ground: the motion will follow it. Dragging with Alt turns the view, with Shift moves it.</p>
            )}
          </div>
        )}
      </Drawing>
      {told && <Lane label="Pieces and transitions" pieces={pieces(told)} />}
      <ClockBar />
    </>
  );
}

function inShort(told: WayMade): string {
  const off = told.off_path_mean_cm === undefined ? "" : `, ${told.off_path_mean_cm.toFixed(0)} cm off the path`;
  return `${told.secs.toFixed(1)} s, ${count(told.transitions, "transition")}${off}`;
}

function lines(): Line[] {
  const colours = palette.value;
  const drawn = onGround(path.value);
  const walked = onGround(shown.value?.facts.line ?? []);
  const all: Line[] = [];
  if (walked.length) all.push({ points: walked, colour: colours.path, width: 3, onGround: true, alpha: 0.8 });
  if (drawn.length) all.push({ points: drawn, colour: colours.highlight, width: 4, onGround: true, alpha: 0.7 });
  return all;
}

function onGround(points: readonly (readonly [number, number])[]): Float32Array {
  return new Float32Array(points.flatMap(([x, z]) => [x, 0, z]));
}

/** The runs of clips, and between them the transitions in heat colours. */
function pieces(told: WayMade): Piece[] {
  const lengths = told.pieces.map(lengthOf);
  const total = lengths.reduce((sum, length) => sum + length, 0) || 1;
  const most = Math.max(1e-6, ...told.costs_cm);
  let at = 0;
  const all: Piece[] = [];
  told.pieces.forEach((name, i) => {
    const next = at + lengths[i]! / total;
    const clip = name.slice(0, name.lastIndexOf(":"));
    all.push({ from: at, to: next, colour: mix(labelColour(clip), palette.value.paper, 0.6), title: name, text: clip });
    const cost = told.costs_cm[i];
    if (cost !== undefined && i + 1 < told.pieces.length) {
      all.push({ from: next - 0.003, to: next + 0.003, colour: heatColour(0.3 + (0.7 * cost) / most), title: `transition, ${cost.toFixed(1)} cm` });
    }
    at = next;
  });
  return all;
}

function lengthOf(piece: string): number {
  const [start, stop] = piece.slice(piece.lastIndexOf(":") + 1).split("-").map(Number);
  return (stop ?? 0) - (start ?? 0);
}
