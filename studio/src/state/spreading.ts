/** Spreading labels: how certain a label has to be, and what came of the last time. */
import { signal } from "@preact/signals";

import { count } from "../ui/format";
import { startJob } from "./jobs";

interface Spread {
  labels: number;
  left_out: number;
}

export const threshold = signal(0.8);
export const told = signal("");

export async function spreadLabel(label: string): Promise<void> {
  const from = threshold.peek();
  told.value = "";
  const spread = await startJob<Spread>("spread", { labels: [label], threshold: from });
  if (!spread) return;
  const found = spread.labels ? `${count(spread.labels, "segment")} got the label ${label}.` : `Nothing else is ${Math.round(100 * from)} % certain to be ${label}.`;
  const rest = spread.left_out ? ` ${count(spread.left_out, "less certain one")} left out: choose a lower certainty to see ${spread.left_out === 1 ? "it" : "them"}.` : "";
  told.value = found + rest;
}
