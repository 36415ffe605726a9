/** What is needed to draw segments: their motions and mannequins, in as few requests as can be. */
import { getJson } from "../api/client";
import type { Motion } from "../api/motion";
import type { Clip, ClipPage, Segment } from "../api/types";
import type { Mannequin } from "../draw/mannequin";
import { mannequin } from "./mannequins";
import { segmentMotions } from "./motions";

export interface Drawn {
  segment: Segment;
  clip: Clip;
  motion: Motion;
  mannequin: Mannequin;
}

const PLAY_HZ = 30;
const MOST = 100; // clips or motions in one request

const clips = new Map<number, Clip>();

export async function clipsOf(ids: Iterable<number>): Promise<ReadonlyMap<number, Clip>> {
  const missing = [...new Set(ids)].filter((id) => !clips.has(id));
  for (let i = 0; i < missing.length; i += MOST) {
    const page = await getJson<ClipPage>(`/clips?ids=${missing.slice(i, i + MOST).join(",")}`);
    for (const clip of page.clips) clips.set(clip.id, clip);
  }
  return clips;
}

/** All that there are, in order; segments of removed clips are left out. */
export async function figuresOf(segments: readonly Segment[], signal?: AbortSignal): Promise<Drawn[]> {
  const known = await clipsOf(segments.map((segment) => segment.clip_id));
  const there = segments.filter((segment) => known.has(segment.clip_id));
  const drawn: Drawn[] = [];
  for (let i = 0; i < there.length; i += MOST) {
    const some = there.slice(i, i + MOST);
    const [motions, bodies] = await Promise.all([
      segmentMotions(some, PLAY_HZ, {}, signal),
      Promise.all(some.map((segment) => mannequin(known.get(segment.clip_id)!.mannequin))),
    ]);
    some.forEach((segment, j) =>
      drawn.push({ segment, clip: known.get(segment.clip_id)!, motion: motions[j]!, mannequin: bodies[j]! }),
    );
  }
  return drawn;
}
