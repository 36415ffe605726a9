/** What this tab keeps over reloads, for each bank: what was put aside or judged, but is not in the bank. */
import { type Signal, effect, signal } from "@preact/signals";

import { bank } from "./bank";

export function keptInTab<T>(word: string, empty: T): Signal<T> {
  const value = signal(empty);
  let key = "";
  effect(() => {
    if (!bank.value) return;
    const wanted = `motionary-${word} ${bank.value.name}`;
    if (wanted === key) return;
    key = wanted;
    const stored = sessionStorage.getItem(key);
    value.value = stored ? (JSON.parse(stored) as T) : empty;
  });
  effect(() => {
    const text = JSON.stringify(value.value);
    if (key) sessionStorage.setItem(key, text);
  });
  return value;
}
