/** The motion graph that is open: what it was asked, and the way it answered with. */
import { effect, signal } from "@preact/signals";

import { inWords, getJson } from "../api/client";
import type { GraphFacts, GraphList } from "../api/schema";
import type { Wording } from "../ui/copy";
import { pythonString, pythonValue } from "../ui/format";
import { now, playing } from "./clock";
import { type Played, made } from "./made";
import { fromMoment, momentOf } from "./moments";
import { route, setQuery } from "./route";

export interface WayMade {
  secs: number;
  frames: number;
  transitions: number;
  worst_cm: number | null;
  off_path_mean_cm?: number;
  pieces: string[]; // CLIP:START-STOP, in frames of the graph's rate
  costs_cm: number[];
  line: [number, number][];
}

export const graphs = signal<readonly string[]>([]);
export const facts = signal<GraphFacts | null>(null);
export const path = signal<readonly [number, number][]>([]);
export const shown = signal<{ facts: WayMade; played: Played[]; call: string; body: object } | null>(null);
export const problem = signal("");
export const busy = signal("");
let underWay: AbortController | null = null;

type Call = "follow" | "walk" | "path";
const BUSY: Record<Call, string> = { follow: "Following the path…", walk: "Walking…", path: "Looking for the way…" };
export const asked = signal<Asked>({ secs: 20 });

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
    const answer = await made<WayMade>(address, body, mine.signal);
    shown.value = { ...answer, call: address, body };
    problem.value = "";
    now.value = 0;
    playing.value = true;
  } catch (error) {
    if (mine.signal.aborted) return;
    problem.value = inWords(error);
    answered = ""; // the same may be asked again
  }
  busy.value = "";
}

export const wayFrom = signal(fromMoment.peek() ?? "#1:0");

/** What the address asks for: a path to follow, seconds to walk, or a moment and the label to go to. */
const WORDS = ["path", "walk", "seed", "from", "label"] as const;
type Words = Partial<Record<(typeof WORDS)[number], string>>;
let last: Words = {};
let answered = ""; // graph and words of the last request

function put(words: Words): void {
  setQuery(Object.fromEntries(WORDS.map((word) => [word, words[word] ?? null])));
}

/** Follow the address; whoever comes back without words in it finds what was made last. */
effect(() => {
  const { view, query } = route.value;
  const name = query.get("name") ?? graphs.value[0];
  if (view !== "graph" || !name) return;
  const words: Words = Object.fromEntries(WORDS.flatMap((word) => (query.get(word) ? [[word, query.get(word)!]] : [])));
  if (!Object.keys(words).length) {
    if (Object.keys(last).length) put(last);
    return;
  }
  const only = query.get("only") ? { only: [query.get("only")!] } : {}; // the label whose motion alone may be used
  const key = JSON.stringify([name, words, only]);
  if (key === answered) return;
  answered = key;
  last = words;
  askFor(words, only);
});

function askFor({ path: drawn, walk: secs, seed, from, label }: Words, only: { only?: string[] }): void {
  const points = drawn ? pointsOf(drawn) : null;
  path.value = points ?? [];
  if (drawn && !points) problem.value = "A path is two points or more, as 0,0 2,0 2,2.";
  else if (points) void ask("follow", { points, ...only }, { points, ...only });
  else if (secs) {
    const words = { secs: Number(secs), ...(seed ? { seed: Number(seed) } : {}), ...only };
    void ask("walk", words, words);
  } else if (from && label) {
    wayFrom.value = from;
    void ask("path", { start: momentOf(from), label }, { start: from, label });
  }
}

export function walk(secs: number): void {
  put({ walk: String(secs), seed: String(Math.floor(Math.random() * 1e6)) });
}

export function goTo(label: string): void {
  if (momentOf(wayFrom.peek()) && label) put({ from: wayFrom.peek(), label });
}

export function follow(points: readonly [number, number][]): void {
  put({ path: points.map((point) => point.map((one) => one.toFixed(2)).join(",")).join(" ") });
}

export function followWritten(text: string): void {
  const points = pointsOf(text);
  if (points) follow(points);
  else problem.value = "A path is two points or more, as 0,0 2,0 2,2.";
}

/** A path as text: x,z in metres; null for what is none. */
export function pointsOf(text: string): [number, number][] | null {
  const points = text.trim().split(/\s+/).map((point) => point.split(",").map(Number));
  const fine = points.length > 1 && points.every((point) => point.length === 2 && point.every(Number.isFinite));
  return fine ? (points as [number, number][]) : null;
}

export async function listGraphs(): Promise<void> {
  graphs.value = (await getJson<GraphList>("/graphs")).graphs.map(nameOf);
}

function nameOf(graph: unknown): string {
  return typeof graph === "string" ? graph : String((graph as { graph: string }).graph);
}
