/** The edit that is being made: its operation, parameters and targets, and the preview of it. */
import { batch, effect, signal } from "@preact/signals";

import { getJson, inWords } from "../api/client";
import type { EditBody, EditTargets } from "../api/schema";
import { segmentOf } from "../ui/format";
import { basket } from "./basket";
import { revision } from "./bank";
import { type Played, made, newestWins } from "./made";
import { report } from "./notices";
import { route, setQuery } from "./route";

export interface Parameter {
  parameter: string;
  default: unknown;
  help: string;
  low: number | null;
  high: number | null;
  unit: string;
  choices: string[];
}

export interface Operation {
  operation: string;
  title: string;
  about?: string;
  parameters: Parameter[];
}

export interface Row {
  number: number;
  clip_id: number;
  clip: string;
  start: number;
  stop: number;
  mirrored: boolean;
  moved_cm: number | null;
  problem: string;
  notes: string[];
}

export interface Previewed {
  edits: Row[];
  left_alone: string[];
  played: number[];
  changing: number[]; // those that change something
}

export interface Layer {
  position: number;
  operation: string;
  start: number;
  stop: number;
}

export const operations = signal<readonly Operation[]>([]);
export const parameters = signal<Record<string, unknown>>({});
/** What was taken out, by `keyOf`: numbers change with what a search finds. */
export const dropped = signal<ReadonlySet<string>>(new Set());
export const targets = signal("none"); // none, basket, search, or a label
export const preview = signal<{ facts: Previewed; played: Played[] } | null>(null);
export const problem = signal("");
export const layers = signal<readonly Layer[]>([]);
export const strength = signal(1);
export const all = signal(false);

export function operation(): Operation | undefined {
  const name = route.value.query.get("operation");
  return operations.value.find((one) => one.operation === name);
}

export function keyOf(row: Row): string {
  return `${row.clip_id}:${row.start}-${row.stop}`;
}

export function toWhat(): EditTargets {
  if (targets.value === "basket") return { segments: basket.value.map(({ segment }) => segment) };
  if (targets.value === "search") return { search: { k: 12 } };
  return targets.value === "none" ? {} : { labels: [targets.value] };
}

/** What the preview shows: all that the edit would change, whether it was taken out or not. */
export function body(): EditBody | null {
  const segment = segmentOf(route.value.query.get("segment") ?? "");
  const chosen = operation();
  if (!segment || !chosen) return null;
  const given = Object.fromEntries(Object.entries(parameters.value).filter(([name]) => chosen.parameters.some((one) => one.parameter === name)));
  return {
    segment,
    operation: chosen.operation,
    parameters: given,
    to: toWhat(),
    itself: true,
    options: strength.value === 1 ? {} : { strength: strength.value },
  };
}

/** What is applied: without what was taken out. */
export function bodyToApply(): EditBody | null {
  const shown = body();
  const out = preview.value?.facts.edits.filter((row) => dropped.value.has(keyOf(row))) ?? [];
  return shown && { ...shown, drop: out.map((row) => row.number) };
}

const ask = newestWins<EditBody>(async (wanted) => {
  try {
    const answer = await made<Previewed>("/edits/preview", { ...wanted, play: true });
    if (!body()) return; // meanwhile nothing is asked for any more
    preview.value = answer;
    problem.value = "";
  } catch (error) {
    problem.value = inWords(error);
    preview.value = null;
  }
});

export function chooseOperation(name: string): void {
  startAnew();
  setQuery({ operation: name });
}

/** Nothing is said yet: as before the first edit, and after each. */
export function startAnew(): void {
  batch(() => {
    parameters.value = {};
    dropped.value = new Set();
    strength.value = 1;
    preview.value = null;
    problem.value = "";
  });
}

/** The edit is on: a second one begins with its operation, so that nothing is put on twice by mistake. */
export function applied(): void {
  startAnew();
  setTargets("none");
  setQuery({ operation: null });
}

export function setTargets(next: string): void {
  dropped.value = new Set();
  targets.value = next;
  all.value = next !== "none";
}

export function toggle(row: Row): void {
  const next = new Set(dropped.value);
  if (!next.delete(keyOf(row))) next.add(keyOf(row));
  dropped.value = next;
}

/** Follow the address: the operations once, the layers of the clip, the preview of what is asked for. */
effect(() => {
  if (route.value.view !== "edit" || operations.value.length) return;
  getJson<{ operations: Operation[] }>("/edits/operations").then((answer) => (operations.value = answer.operations), report);
});

effect(() => {
  void revision.value;
  const segment = segmentOf(route.value.query.get("segment") ?? "");
  if (route.value.view !== "edit" || !segment) return;
  getJson<{ layers: Layer[] }>(`/clips/${segment.clip_id}/edits`).then((answer) => (layers.value = answer.layers), report);
});

effect(() => {
  void revision.value;
  if (route.value.view !== "edit") return;
  const wanted = body();
  if (wanted) ask(wanted);
  else preview.value = null;
});
