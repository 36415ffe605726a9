/** Two moments that were picked, between which a transition is to lead. */
import { signal } from "@preact/signals";

export const fromMoment = signal<string | null>(null); // #12:134
export const toMoment = signal<string | null>(null);

export function momentOf(name: string | null): { clip_id: number; frame: number } | null {
  const found = /^#(\d+):(\d+)$/.exec(name ?? "");
  return found ? { clip_id: Number(found[1]), frame: Number(found[2]) } : null;
}

export function transitionAddress(): string {
  const words = new URLSearchParams();
  if (fromMoment.value) words.set("from", fromMoment.value);
  if (toMoment.value) words.set("to", toMoment.value);
  return `/transition?${words}`;
}
