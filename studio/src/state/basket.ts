/** The basket: segments that were put aside, to be kept as a selection or exported. */
import type { Segment } from "../api/types";
import { segmentName } from "../ui/format";
import { keptInTab } from "./kept_in_tab";
import { notify } from "./notices";

export interface Kept {
  segment: Segment;
  clip: string;
  result?: string; // the search and rank that it came from
  rank?: number;
}

export const basket = keptInTab<readonly Kept[]>("basket", []);

export function keyOf(kept: Pick<Kept, "segment">): string {
  return `${segmentName(kept.segment)}${kept.segment.mirrored ? " mirrored" : ""}`;
}

export function toggleInBasket(kept: Kept): void {
  const key = keyOf(kept);
  const without = basket.value.filter((other) => keyOf(other) !== key);
  if (without.length === basket.value.length) {
    basket.value = [...without, kept];
    notify(`${kept.clip} is in the basket`);
  } else {
    basket.value = without;
    notify(`${kept.clip} is out of the basket`);
  }
}

export function addToBasket(more: readonly Kept[]): void {
  const known = new Set(basket.value.map(keyOf));
  basket.value = [...basket.value, ...more.filter((kept) => !known.has(keyOf(kept)))];
}
