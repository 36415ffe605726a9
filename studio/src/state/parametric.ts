/** The parametric motion that is open, what it was asked for, and the blend it answered with. */
import { signal } from "@preact/signals";

import type { ParametricAnswer } from "../api/schema";
import { awaited } from "../draw/loop";
import { type Played, made, newestWins } from "./made";
import { report } from "./notices";

export interface Parameter {
  name: string;
  unit: string;
  least: number;
  greatest: number;
}

export interface Listed {
  parametric: string;
  measures: string[];
}

export interface Asked {
  wanted: Record<string, number>;
  got: Record<string, number>;
  projected: boolean;
  weights: Record<string, number>;
}

export const known = signal<readonly Listed[]>([]);
export const open = signal<ParametricAnswer | null>(null);
export const values = signal<readonly number[]>([]);
export const answer = signal<{ facts: Asked; played: Played[] } | null>(null);
export const answerMs = signal<readonly number[]>([]);

export function parameters(): Parameter[] {
  return (open.value?.parameters ?? []) as unknown as Parameter[];
}

const ask = newestWins<{ values: readonly number[]; dragging: boolean }>(async ({ values: wanted, dragging }) => {
  const name = open.peek()?.parametric;
  if (!name) return;
  const begun = performance.now();
  try {
    const body = { values: wanted, ...(dragging ? { corrections: 1, clean_up: false } : {}) };
    answer.value = await awaited(made<Asked>(`/parametric/${encodeURIComponent(name)}/ask`, body));
    performance.clearMarks("answered"); // from here to the next frame: what a user waits for
    performance.mark("answered");
    answerMs.value = [...answerMs.peek().slice(-99), performance.now() - begun];
  } catch (error) {
    report(error);
  }
});

export function change(next: readonly number[], dragging: boolean): void {
  values.value = next;
  ask({ values: next, dragging });
}

/** Whether the parameters are a place in space: left, up, ahead. */
export function isPlace(): boolean {
  const names = parameters().map((one) => one.name.split(" ").at(-1));
  return names.join(" ") === "left up ahead";
}
