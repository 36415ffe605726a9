/** The page's one renderer, and when it draws: while something plays, or when what is shown has changed. */
import { effect, signal } from "@preact/signals";

import { now, playing } from "../state/clock";
import { Renderer } from "./renderer";

export const renderer = signal<Renderer | null>(null);

export function startDrawing(canvas: HTMLCanvasElement): () => void {
  const made = new Renderer(canvas, isAwaiting);
  renderer.value = made;
  (globalThis as { studioCounts?: unknown }).studioCounts = made.counts;
  const stop = effect(() => {
    void [now.value, playing.value];
    made.invalidate();
  });
  return () => {
    stop();
    renderer.value = null;
    made.end();
  };
}

/** Whatever a cell shows has changed. */
export function redraw(): void {
  renderer.peek()?.invalidate();
}

/** Draw at once: what comes with this is what somebody waits for. */
export function redrawNow(): void {
  renderer.peek()?.drawNow();
}

let waits = 0;

/** An answer that somebody waits for. Where drawing takes the processor's time, it is left to the server meanwhile. */
export async function awaited<T>(answer: Promise<T>): Promise<T> {
  waits++;
  try {
    return await answer;
  } finally {
    waits--;
  }
}

export function isAwaiting(): boolean {
  return waits > 0;
}
