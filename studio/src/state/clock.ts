/** The one clock of the page: the moment in seconds, and whether it runs. */
import { signal } from "@preact/signals";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

export const now = signal(0); // seconds from the start of what is open
export const playing = signal(false);
export const speed = signal(1);
/** What is played, in seconds; it repeats. */
export const range = signal<readonly [number, number]>([0, 0]);

let last = 0;

/** Move the clock on by real time. Called once for every drawn frame. */
export function tick(milliseconds: number): void {
  const past = last ? Math.min(0.25, (milliseconds - last) / 1000) : 0;
  last = playing.value ? milliseconds : 0;
  if (!playing.value) return;
  const [from, to] = range.value;
  if (to <= from) return;
  let moment = now.value + past * speed.value;
  if (moment >= to) moment = from + ((moment - from) % (to - from));
  if (moment < from) moment = from;
  now.value = moment;
}

export function seek(moment: number, limit: readonly [number, number] = range.value): void {
  now.value = Math.min(Math.max(moment, limit[0]), limit[1]);
}

export function changeSpeed(steps: number): void {
  const at = SPEEDS.findIndex((value) => value >= speed.value);
  speed.value = SPEEDS[Math.min(Math.max((at < 0 ? SPEEDS.length - 1 : at) + steps, 0), SPEEDS.length - 1)]!;
}
