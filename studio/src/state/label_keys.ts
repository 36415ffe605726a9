/** Which label each of the keys 1 to 9 stands for; kept for each bank in this browser. */
import { computed, signal } from "@preact/signals";

import { bank } from "./bank";

const STORED = "motionary-label-keys";
type Slots = Record<string, string[]>;
const stored = signal<Slots>(JSON.parse(localStorage.getItem(STORED) ?? "{}") as Slots);

/** Nine labels: those that were chosen, then the most frequent ones. */
export const labelKeys = computed<readonly string[]>(() => {
  const own = stored.value[bank.value?.name ?? ""] ?? [];
  const frequent = [...(bank.value?.labels ?? [])].sort((a, b) => b.segments + b.clips - a.segments - a.clips);
  const more = frequent.map((known) => known.label).filter((label) => !own.includes(label));
  return [...own, ...more].slice(0, 9);
});

/** Put a label first, so that a key stands for it. */
export function giveKey(label: string): void {
  const name = bank.peek()?.name ?? "";
  const own = stored.value[name] ?? [];
  if (labelKeys.peek().includes(label)) return;
  stored.value = { ...stored.value, [name]: [...own, label].slice(-9) };
  localStorage.setItem(STORED, JSON.stringify(stored.value));
}
