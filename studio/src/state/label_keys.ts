/** Which label each of the keys 1 to 9 stands for; kept for each bank in this browser. */
import { computed, signal } from "@preact/signals";

import { bank } from "./bank";

const STORED = "motionary-label-keys";
type Slots = Record<string, string[]>;
const stored = signal<Slots>(JSON.parse(localStorage.getItem(STORED) ?? "{}") as Slots);

let last: { bank: string; labels: readonly string[] } = { bank: "", labels: [] };

/** Nine labels: those that were chosen, then the most frequent ones. Who labels by keys changes what is frequent: the
 * keys stay as they were when the page was loaded. */
export const labelKeys = computed<readonly string[]>(() => {
  const name = bank.value?.name ?? "";
  const own = stored.value[name] ?? [];
  const sorted = [...(bank.value?.labels ?? [])].sort((a, b) => b.segments + b.clips - a.segments - a.clips);
  const frequent = sorted.map((known) => known.label).filter((label) => !own.includes(label));
  const before = last.bank === name ? last.labels.filter((label) => frequent.includes(label)) : [];
  const labels = [...own, ...before, ...frequent.filter((label) => !before.includes(label))].slice(0, 9);
  last = { bank: name, labels };
  return labels;
});

/** Put a label first, so that a key stands for it. */
export function giveKey(label: string): void {
  const name = bank.peek()?.name ?? "";
  const own = stored.value[name] ?? [];
  if (labelKeys.peek().includes(label)) return;
  stored.value = { ...stored.value, [name]: [...own, label].slice(-9) };
  localStorage.setItem(STORED, JSON.stringify(stored.value));
}
