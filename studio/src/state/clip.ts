/** The clip on the Stage, the segment that is marked in it, and its lanes. */
import { batch, computed, effect, signal } from "@preact/signals";

import { getJson } from "../api/client";
import { type Motion, placesAt } from "../api/motion";
import type { ClipDetails, Lanes, Plant, Segment } from "../api/types";
import { redraw } from "../draw/loop";
import type { Mannequin } from "../draw/mannequin";
import { ApiError, inWords } from "../api/client";
import { connection, lostOr, revision } from "./bank";
import { now, playing, range } from "./clock";
import { mannequin } from "./mannequins";
import { CHUNK, chunkOf } from "./motions";
import { fragment, go, route, setFragment, setQuery, view } from "./route";

export const LANE_BUCKETS = 1000;

export const clip = signal<ClipDetails | null>(null);
export const clipMannequin = signal<Mannequin | null>(null);
export const lanes = signal<Lanes | null>(null);
export const opening = signal(false);
/** Why the clip of the address is not shown. */
export const openProblem = signal("");
/** The marked segment, in frames; its stop may still be missing. */
export const mark = signal<{ start: number; stop: number | null } | null>(null);
export const frame = computed(() => {
  const open = clip.value;
  return open ? Math.min(Math.round(now.value / open.frame_time), open.frames - 1) : 0;
});
export const segment = computed<Segment | null>(() => {
  const open = clip.value;
  const marked = mark.value;
  return open && marked?.stop ? { clip_id: open.id, start: marked.start, stop: marked.stop } : null;
});

let loading = 0;

/** The segment of the address, as far as a clip of so many frames has it. */
function segmentAsked(frames: number): { start: number; stop: number } | null {
  const asked = route.peek().query.get("segment")?.match(/^(\d+)-(\d+)$/);
  const [start, stop] = asked ? [Number(asked[1]), Math.min(Number(asked[2]), frames)] : [0, 0];
  return start < stop ? { start, stop } : null;
}

/** Mark the segment of the address, and look at its moment. */
function takeFromAddress(open: ClipDetails): void {
  mark.value = segmentAsked(open.frames);
  const moment = fragment().get("t");
  const at = moment !== null ? Number(moment) || 0 : (mark.value?.start ?? 0);
  now.value = Math.min(Math.max(at, 0), open.frames - 1) * open.frame_time;
}

export async function openClip(id: number): Promise<void> {
  const mine = ++loading;
  opening.value = true;
  try {
    const details = await getJson<ClipDetails>(`/clips/${id}`);
    const body = await mannequin(details.mannequin);
    if (mine !== loading) return;
    batch(() => {
      const same = clip.value?.id === details.id;
      clip.value = details;
      clipMannequin.value = body;
      if (!same) {
        lanes.value = null;
        takeFromAddress(details);
      }
      opening.value = false;
      openProblem.value = "";
    });
    connection.value = "ready";
    lanes.value = await getJson<Lanes>(`/clips/${id}/lanes?buckets=${LANE_BUCKETS}`);
  } catch (error) {
    if (mine !== loading) return;
    closeClip(); // nothing else is shown under its address
    openProblem.value = error instanceof ApiError && error.status === 404 ? "There is no such clip" : inWords(error);
    lostOr(error);
  }
}

export function closeClip(): void {
  loading++;
  batch(() => {
    clip.value = null;
    lanes.value = null;
    mark.value = null;
    playing.value = false;
    opening.value = false;
  });
}

/** Whether the frame's places are here; they are written into `out`. */
export function placesOfFrame(at: number, out: Float32Array): boolean {
  const open = clip.peek();
  if (!open) return false;
  const clamped = Math.min(Math.max(at, 0), open.frames - 1);
  const chunk = Math.floor(clamped / CHUNK);
  const motion: Motion | undefined = chunkOf(open.id, chunk, open.frames, redraw);
  if ((chunk + 1) * CHUNK < open.frames) chunkOf(open.id, chunk + 1, open.frames, redraw);
  if (!motion) return false;
  placesAt(motion, clamped - chunk * CHUNK, out);
  return true;
}

/** Frames of what is played: the marked segment, or the whole clip. */
effect(() => {
  const open = clip.value;
  if (!open || view.value !== "clip") return;
  const played = segment.value ?? { start: 0, stop: open.frames };
  range.value = [played.start * open.frame_time, (played.stop - 1) * open.frame_time];
});

export function toFrame(next: number): void {
  const open = clip.peek();
  if (!open) return;
  playing.value = false;
  now.value = Math.min(Math.max(next, 0), open.frames - 1) * open.frame_time;
}

export function setMark(next: { start: number; stop: number | null } | null): void {
  mark.value = next;
  if (clip.peek()?.id !== Number(route.peek().name)) return; // another clip is about to open
  setQuery({ segment: next?.stop ? `${next.start}-${next.stop}` : null });
}

export function markStart(): void {
  const at = frame.peek();
  const stop = mark.peek()?.stop ?? null;
  setMark({ start: at, stop: stop !== null && stop > at ? stop : null });
}

export function markStop(): void {
  const at = frame.peek() + 1;
  const start = mark.peek()?.start ?? 0;
  setMark({ start: start < at ? start : 0, stop: at });
}

/** While playing: the first time begins a segment, the second ends it. */
export function markWhilePlaying(): void {
  const marked = mark.peek();
  if (!marked || marked.stop !== null) {
    setMark({ start: frame.peek(), stop: null });
  } else if (frame.peek() > marked.start) {
    markStop();
  }
}

export function nudge(start: number, stop: number): void {
  const open = clip.peek();
  const marked = mark.peek();
  if (!open || !marked?.stop) return;
  const from = Math.min(Math.max(0, marked.start + start), open.frames - 1);
  setMark({ start: from, stop: Math.min(Math.max(from + 1, marked.stop + stop), open.frames) });
}

/** Move an end of a foot's plant to the moment that is shown: of the plant whose end is nearest to it. */
export function movedPlant(foot: "left" | "right", end: "start" | "stop"): readonly Plant[] | null {
  const open = clip.peek();
  if (!open) return null;
  const at = frame.peek() + (end === "stop" ? 1 : 0);
  const fitting = open.plants.filter((plant) => plant.foot === foot && (end === "start" ? plant.stop > at : plant.start < at));
  const nearest = fitting.toSorted((a, b) => Math.abs(a[end] - at) - Math.abs(b[end] - at))[0];
  if (!nearest || nearest[end] === at) return null;
  return open.plants.map((plant) => (plant === nearest ? { ...plant, [end]: at } : plant));
}

/** Mark the next or the previous labelled segment, and look at its start. */
export function jump(direction: 1 | -1): void {
  const open = clip.peek();
  if (!open) return;
  const starts = open.labels
    .filter((label) => label.start !== null && label.stop !== null)
    .map((label) => ({ start: label.start!, stop: label.stop! }))
    .sort((a, b) => a.start - b.start || a.stop - b.stop);
  const at = mark.peek()?.start ?? frame.peek();
  const next =
    direction > 0 ? starts.find((found) => found.start > at) : starts.findLast((found) => found.start < at);
  if (!next) return;
  setMark(next);
  now.value = next.start * open.frame_time;
}

/** Follow the address: /clip/12?segment=120-240#t=134. */
effect(() => {
  const { view, name } = route.value;
  if (view !== "clip") return;
  const id = Number(name);
  if (Number.isInteger(id) && id > 0) {
    const open = clip.peek();
    if (open?.id !== id) {
      void openClip(id);
      return;
    }
    const asked = segmentAsked(open.frames);
    const marked = mark.peek();
    if (asked ? asked.start !== marked?.start || asked.stop !== marked.stop : marked?.stop) takeFromAddress(open);
  } else go("/", { replace: true });
});

/** What is open has changed in the bank. */
effect(() => {
  if (revision.value && clip.peek()) void openClip(clip.peek()!.id);
});

let settle: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const at = frame.value;
  if (route.value.view !== "clip" || !clip.value) return;
  clearTimeout(settle);
  settle = setTimeout(() => {
    if (route.peek().view === "clip" && clip.peek()) setFragment({ t: String(at) });
  }, 250);
});
