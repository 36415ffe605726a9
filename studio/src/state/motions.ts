/** Motions that were fetched; at most 64 MB of them are kept, and none outlives the tab. */
import { LeastRecentlyUsed } from "../api/cache";
import { getBytes, postBytes } from "../api/client";
import { type Motion, decodeMotions } from "../api/motion";
import type { Segment } from "../api/types";

export const CHUNK = 256; // frames in one request for a clip

const store = new LeastRecentlyUsed<Motion>(64 * 1024 * 1024);
const underWay = new Map<string, Promise<Motion>>();

export function forgetMotions(): void {
  store.clear();
}

/** The frames of a clip from 256 · `chunk` on, if they are here; they are fetched if not. */
export function chunkOf(clipId: number, chunk: number, frames: number, arrived: () => void): Motion | undefined {
  const key = `clip ${clipId} ${chunk}`;
  const found = store.get(key);
  if (found || underWay.has(key)) return found;
  const stop = Math.min(frames, (chunk + 1) * CHUNK);
  void keep(key, () => getBytes(`/clips/${clipId}/motion?start=${chunk * CHUNK}&stop=${stop}`)).then(arrived, () => {});
  return undefined;
}

/** One motion of a clip at a rate, as the little figures of the library need. */
export function preview(clipId: number, stop: number, hz: number): Promise<Motion> {
  const key = `preview ${clipId} ${hz}`;
  const found = store.get(key);
  if (found) return Promise.resolve(found);
  return keep(key, () => getBytes(`/clips/${clipId}/motion?start=0&stop=${stop}&hz=${hz}`));
}

function keep(key: string, fetched: () => Promise<ArrayBuffer>): Promise<Motion> {
  let promise = underWay.get(key);
  if (!promise) {
    promise = fetched().then((bytes) => {
      const motion = decodeMotions(bytes)[0]!;
      store.set(key, motion, motion.data.byteLength);
      return motion;
    });
    promise.then(
      () => underWay.delete(key),
      () => underWay.delete(key),
    );
    underWay.set(key, promise);
  }
  return promise;
}

export interface Placing {
  place?: "start" | "query";
  onto?: Segment;
}

/** Several segments in one answer. Those that are here already are not fetched again. */
export async function segmentMotions(
  segments: readonly Segment[],
  hz: number,
  placing: Placing = {},
  signal?: AbortSignal,
): Promise<Motion[]> {
  const keyOf = (segment: Segment): string => JSON.stringify([segment, hz, placing]);
  const missing = segments.filter((segment) => !store.get(keyOf(segment)));
  if (missing.length) {
    const bytes = await postBytes("/motions", { segments: missing, hz, ...placing }, { signal });
    const motions = decodeMotions(bytes);
    if (motions.length !== missing.length) throw new Error("The server sent fewer motions than were asked for.");
    const fetched = new Map(missing.map((segment, i) => [keyOf(segment), motions[i]!]));
    for (const [key, motion] of fetched) store.set(key, motion, motion.data.byteLength);
    return segments.map((segment) => fetched.get(keyOf(segment)) ?? store.get(keyOf(segment))!);
  }
  return segments.map((segment) => store.get(keyOf(segment))!);
}
