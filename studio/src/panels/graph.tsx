/** Motion graphs: draw a path on the ground and see motion follow it, walk on and on, go from here to a label. */
import { signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { getJson, inWords } from "../api/client";
import type { GraphFacts, GraphList } from "../api/schema";
import { KeepMade } from "../commands/keep_made";
import { heatColour, labelColour, mix, palette } from "../draw/palette";
import type { Line } from "../draw/scene";
import { bank, revision } from "../state/bank";
import { now, playing } from "../state/clock";
import { startJob } from "../state/jobs";
import { type Played, made } from "../state/made";
import { fromMoment, momentOf } from "../state/moments";
import { report } from "../state/notices";
import { route, setQuery } from "../state/route";
import { ClockBar } from "../ui/clock_bar";
import { type Wording, offerWording } from "../ui/copy";
import { pythonString, pythonValue } from "../ui/format";
import { KeepForm } from "../ui/keep_form";
import { Lane, type Piece } from "../ui/lane";
import { StageView } from "../ui/stage_view";
import { Drawing } from "./drawing";

interface Made {
  secs: number;
  frames: number;
  transitions: number;
  worst_cm: number | null;
  off_path_mean_cm?: number;
  pieces: string[]; // CLIP:START-STOP, in frames of the graph's rate
  costs_cm: number[];
  line: [number, number][];
}

const graphs = signal<readonly string[]>([]);
const facts = signal<GraphFacts | null>(null);
const path = signal<readonly [number, number][]>([]);
const shown = signal<{ facts: Made; played: Played[]; call: string; body: object } | null>(null);
const problem = signal("");
const busy = signal("");
let underWay: AbortController | null = null;

type Call = "follow" | "walk" | "path";
const BUSY: Record<Call, string> = { follow: "Following the path…", walk: "Walking…", path: "Looking for the way…" };
const asked = signal<Asked>({ secs: 20 });

/** What a graph was asked, as far as it can be put in words. */
interface Asked {
  points?: readonly (readonly [number, number])[];
  start?: string; // CLIP:FRAME
  label?: string;
  secs?: number;
  seed?: number;
  only?: readonly string[];
}

/** What was asked, on the command line and in Python. */
export function graphWording(graph: string | null, { points, start, label, secs, seed, only = [] }: Asked): Wording {
  const named = graph === null ? "" : `, ${pythonString(graph)}`;
  const built = `built = motionary.open_graph(bank${named})`;
  const common = [...(graph === null ? [] : ["--graph", graph]), ...only.flatMap((one) => ["--only", one]), ...(seed === undefined ? [] : ["--seed", String(seed)])];
  const keywords = [...(only.length ? [`only=${pythonValue(only)}`] : []), ...(seed === undefined ? [] : [`seed=${seed}`])];
  const call = (name: string, ...words: string[]): string[] => [built, `motionary.${name}(${["bank", "built", ...words, ...keywords].join(", ")})`];
  if (points) {
    const metres = points.map((point) => point.map((one) => one.toFixed(2)));
    return {
      command: ["graph", "follow", "BANK", ...common, "--", metres.map((point) => point.join(",")).join(" ")],
      python: call("graph_follow", `[${metres.map((point) => `(${point.join(", ")})`).join(", ")}]`),
    };
  }
  if (start && label) {
    return { command: ["graph", "path", "BANK", start, "--label", label, ...common], python: call("graph_path", pythonString(start), `label=${pythonString(label)}`) };
  }
  return { command: ["graph", "walk", "BANK", "--secs", String(secs ?? 20), ...common], python: call("graph_walk", `secs=${secs ?? 20}`) };
}

async function ask(call: Call, body: object, words: Asked): Promise<void> {
  const name = route.peek().query.get("name") ?? graphs.peek()[0];
  if (!name) return;
  underWay?.abort();
  const mine = (underWay = new AbortController());
  busy.value = BUSY[call];
  asked.value = words;
  const address = `/graphs/${encodeURIComponent(name)}/${call}`;
  try {
    const answer = await made<Made>(address, body, mine.signal);
    shown.value = { ...answer, call: address, body };
    problem.value = "";
    now.value = 0;
    playing.value = true;
  } catch (error) {
    if (mine.signal.aborted) return;
    problem.value = inWords(error);
  }
  busy.value = "";
}

export default function Graph() {
  const building = useSignal(false);
  const secs = useSignal(20);
  useSignalEffect(() => {
    void revision.value;
    getJson<GraphList>("/graphs").then((answer) => (graphs.value = answer.graphs.map(nameOf)), report);
  });
  useSignalEffect(() => {
    const name = route.value.query.get("name") ?? graphs.value[0];
    if (name) getJson<GraphFacts>(`/graphs/${encodeURIComponent(name)}`).then((answer) => (facts.value = answer), report);
  });
  useEffect(
    () =>
      offerWording(() => graphWording(route.peek().query.get("name"), asked.peek())),
    [],
  );
  const only = route.value.query.get("only") ?? "";
  const onlyThis = only ? { only: [only] } : {};
  const from = useSignal(fromMoment.peek() ?? "#1:0");
  const source = momentOf(from.value);
  function walk(): void {
    const words = { secs: secs.value, seed: Math.floor(Math.random() * 1e6), ...onlyThis };
    path.value = [];
    void ask("walk", words, words);
  }
  function goTo(label: string): void {
    if (!source || !label) return;
    path.value = [];
    void ask("path", { start: source, label }, { start: from.value, label });
  }
  function followWritten(text: string): void {
    const points = pointsOf(text);
    if (!points) {
      problem.value = "A path is two points or more, as 0,0 2,0 2,2.";
      return;
    }
    path.value = points;
    void ask("follow", { points, ...onlyThis }, { points, ...onlyThis });
  }
  const told = shown.value?.facts;
  async function build(): Promise<void> {
    building.value = true;
    await startJob("graph", {});
    building.value = false;
    graphs.value = (await getJson<GraphList>("/graphs")).graphs.map(nameOf);
  }
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Motion graph">
        <select aria-label="Motion graph" value={route.value.query.get("name") ?? graphs.value[0] ?? ""} onChange={(event) => setQuery({ name: event.currentTarget.value })}>
          {graphs.value.map((name) => (
            <option key={name}>{name}</option>
          ))}
          {!graphs.value.length && <option value="">no graph yet</option>}
        </select>
        <select aria-label="Only motion with this label" value={only} onChange={(event) => setQuery({ only: event.currentTarget.value })}>
          <option value="">any motion</option>
          {bank.value?.labels.map((one) => (
            <option key={one.label} value={one.label}>
              only {one.label}
            </option>
          ))}
        </select>
        <input aria-label="Seconds" type="number" min="1" max="300" value={secs.value} onInput={(event) => (secs.value = Number(event.currentTarget.value))} style={{ width: "4.2rem" }} />
        <button disabled={!graphs.value.length} onClick={walk}>
          Walk
        </button>
        <input aria-label="Way from" title="Where the way starts: #12:134 is frame 134 of clip 12" placeholder="from #1:60" value={from.value} onInput={(event) => (from.value = event.currentTarget.value.trim())} style={{ width: "5.6rem" }} />
        <select aria-label="Way to a label" title="The shortest way to motion with this label" disabled={!graphs.value.length || !source} value="" onChange={(event) => goTo(event.currentTarget.value)} style={{ maxWidth: "8rem" }}>
          <option value="">go to a label…</option>
          {bank.value?.labels.map((one) => (
            <option key={one.label}>{one.label}</option>
          ))}
        </select>
        <span class="faint small number" role="status" data-testid="graph">
          {busy.value || (told ? `${told.secs.toFixed(1)} s, ${told.transitions} transitions${told.off_path_mean_cm === undefined ? "" : `, ${told.off_path_mean_cm.toFixed(0)} cm off the path`}` : facts.value ? `${facts.value.transitions.toLocaleString("en")} transitions` : "")}
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
                  if (done && points.length > 1) void ask("follow", { points, ...onlyThis }, { points, ...onlyThis });
                }
              : null
          }
        />
        {!graphs.value.length && (
          <div class="state">
            <h1>No motion graph yet</h1>
            <p>A motion graph joins the clips of the bank wherever one can go over into another. Building it takes seconds to minutes.</p>
            <button class="chief" disabled={building.value} onClick={() => void build()}>
              {building.value ? "Building…" : "Build the motion graph"}
            </button>
          </div>
        )}
        {graphs.value.length > 0 && (
          <div class="caption">
            {problem.value ? <p style={{ color: "var(--reject)" }}>{problem.value}</p> : <p class="faint">Draw a path on the ground. Dragging with Alt turns the view, with Shift moves it; the wheel comes nearer.</p>}
            <label class="row small" style={{ pointerEvents: "auto" }}>
              <span class="faint">or write it, in metres</span>
              <input aria-label="Path in metres" placeholder="0,0 2,0 2,2" value={written(path.value)} onChange={(event) => followWritten(event.currentTarget.value)} style={{ width: "14rem" }} />
            </label>
          </div>
        )}
      </Drawing>
      {told && <Lane label="Pieces and transitions" pieces={pieces(told)} />}
      <ClockBar />
    </>
  );
}

/** A path as text: x,z in metres; null for what is none. */
export function pointsOf(text: string): [number, number][] | null {
  const points = text.trim().split(/\s+/).map((point) => point.split(",").map(Number));
  const fine = points.length > 1 && points.every((point) => point.length === 2 && point.every(Number.isFinite));
  return fine ? (points as [number, number][]) : null;
}

function written(points: readonly (readonly [number, number])[]): string {
  return points.length > 6 ? "" : points.map((point) => point.map((one) => one.toFixed(1)).join(",")).join(" ");
}

function nameOf(graph: unknown): string {
  return typeof graph === "string" ? graph : String((graph as { graph: string }).graph);
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
function pieces(told: Made): Piece[] {
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
