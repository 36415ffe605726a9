/** The search: query, options, matches, and what is thought of them. It follows the address. */
import { batch, computed, effect, signal } from "@preact/signals";

import { ApiError, getBytes, getJson, inWords, postJson } from "../api/client";
import { type Motion, decodeFramed } from "../api/motion";
import type { ClipPage, Explanation, Match, SearchAnswer, Segment } from "../api/types";
import { awaited } from "../draw/loop";
import { segmentName, segmentOf } from "../ui/format";
import { lostOr, revision } from "./bank";
import type { Kept } from "./basket";
import { now, playing, range } from "./clock";
import { mannequin } from "./mannequins";
import { segmentMotions } from "./motions";
import { type By, callValue, givenOptions } from "./options";
import { clip, segment } from "./clip";
import { buildIndexOnce } from "./jobs";
import { keptInTab } from "./kept_in_tab";
import { go, route } from "./route";

export type Verdict = "accepted" | "rejected";

export interface Found extends Match {
  motion: Motion | null;
  /** The match's frame, counted at the alignment's rate, for each frame of the query. */
  warp: Float32Array;
}

export interface QueryMotion {
  segment: Segment;
  clip: string;
  mannequin: string;
  frame_time: number;
  motion: Motion | null;
}

const PLAY_HZ = 30;

export const query = signal<QueryMotion | null>(null);
export const found = signal<readonly Found[]>([]);
export const result = signal(""); // what the server calls the matches
export const notes = signal<readonly string[]>([]);
export const tookMs = signal<number | null>(null);
export const searching = signal(false);
export const problem = signal("");
/** What the search needs first, as a job is called: the page offers to build it. */
export const needs = signal<"web" | "index" | null>(null);
export const suggestedCut = signal<number | null>(null);
export const chosen = signal(0); // index in `found`
export const verdicts = signal<ReadonlyMap<string, Verdict>>(new Map());
/** What was accepted, with the result and the rank that it had: learning lists others in its place. */
export const accepted = signal<ReadonlyMap<string, Kept>>(new Map());
/** Verdicts and accepted matches of each query: whoever comes back to a query goes on where they were. */
const judged = keptInTab<Record<string, { verdicts: [string, Verdict][]; accepted: [string, Kept][] }>>("verdicts", {});
export const learnedFrom = signal(0); // verdicts, before these matches were listed
export const explanation = signal<Explanation | null>(null);
export const litJoint = signal<string | null>(null);
export const opened = signal(false); // the chosen match beside the query
export const matchesShown = signal(0); // milliseconds from asking to the list

export const chosenMatch = computed(() => found.value[chosen.value] ?? null);

export function matchSegment(match: Match): Segment {
  return { clip_id: match.clip_id, start: match.start, stop: match.stop, mirrored: match.mirrored };
}

export function matchName(match: Match): string {
  return segmentName(match);
}

/** Look for what is like the marked segment. */
export function findLikeThis(): void {
  const marked = segment.peek();
  if (!clip.peek() || !marked) return;
  go(`/find?${new URLSearchParams({ query: segmentName(marked) })}`);
}

/** The segments that the address rejects: a search in a web goes on without them. */
export function notInSearch(): string[] {
  return (route.peek().query.get("reject") ?? "").split(",").filter(Boolean);
}

let underWay: AbortController | null = null;
let lastQuery = "";
/** The address whose matches were learned from verdicts: what changes labels or selections leaves their order alone. */
let taughtAt: string | null = null;

/** Search by the address, as soon as it says something else: the newest search wins. */
effect(() => {
  const { view, query: words } = route.value;
  void revision.value;
  if (view !== "find") return;
  const file = words.get("file");
  const wanted = file ? { file_id: file } : segmentOf(words.get("query") ?? "");
  if (!wanted) {
    underWay?.abort();
    forget();
    problem.value = words.get("query") ? `${words.get("query")!} is not a segment: write #12:120-240.` : "";
    query.value = null;
    lastQuery = "";
    range.value = [0, 0];
    return;
  }
  if (taughtAt === words.toString() && found.peek().length) return;
  void search(wanted, words);
});

/** No matches, and nothing of earlier ones. */
function forget(): void {
  batch(() => {
    searching.value = false;
    found.value = [];
    result.value = "";
    notes.value = [];
    tookMs.value = null;
    suggestedCut.value = null;
    explanation.value = null;
    needs.value = null;
  });
}

/** A segment, or a file that was dropped onto the page. */
export type Wanted = Segment | { file_id: string };

async function search(wanted: Wanted, words: URLSearchParams): Promise<void> {
  underWay?.abort();
  const mine = (underWay = new AbortController());
  const { signal: aborted } = mine;
  const begun = performance.now();
  const by = (words.get("by") ?? "exact") as By;
  const options: Record<string, unknown> = Object.fromEntries(
    givenOptions(words, by).map(({ option, text }) => [option.keyword, callValue(option, text)]),
  );
  const rejected = (words.get("reject") ?? "").split(",").map(segmentOf).filter((one) => one !== null);
  if (by === "web" && rejected.length) options["rejected"] = rejected;
  taughtAt = null;
  const name = "file_id" in wanted ? wanted.file_id : segmentName(wanted);
  const isNew = name !== lastQuery;
  batch(() => {
    if (isNew) {
      forget(); // nobody judges matches of another query
      query.value = null;
      lastQuery = "";
    }
    searching.value = true;
    problem.value = "";
    needs.value = null;
  });
  try {
    const body = { query: wanted, by, k: Number(words.get("k") ?? "24"), options };
    const [answer, asked] = await awaited(
      Promise.all([postJson<SearchAnswer>("/search", body, { signal: aborted }), isNew ? queryOf(wanted) : query.peek()]),
    );
    if (aborted.aborted) return;
    const earlier = new Map(found.peek().map((match) => [`${matchName(match)} ${match.mirrored}`, match.motion]));
    batch(() => {
      take(answer, earlier);
      learnedFrom.value = 0;
      if (isNew && asked) {
        query.value = asked;
        range.value = [0, (asked.segment.stop - asked.segment.start - 1) * asked.frame_time];
        verdicts.value = new Map(judged.peek()[name]?.verdicts);
        accepted.value = new Map(judged.peek()[name]?.accepted);
        chosen.value = 0;
        opened.value = false;
        now.value = 0;
        playing.value = true;
      }
      chosen.value = Math.min(chosen.peek(), Math.max(0, answer.matches.length - 1));
    });
    lastQuery = name;
    matchesShown.value = performance.now() - begun;
    await loadMotions(wanted, aborted);
  } catch (error) {
    if (aborted.aborted) return;
    forget();
    lostOr(error);
    problem.value = inWords(error);
    if (error instanceof ApiError && error.status === 409) {
      needs.value = "index";
      buildIndexOnce();
    }
    if (by === "web" && /has no match web/.test(problem.value)) needs.value = "web";
  }
}

function take(answer: SearchAnswer, earlier: ReadonlyMap<string, Motion | null> = new Map()): void {
  found.value = answer.matches.map((match) => ({
    ...match,
    motion: earlier.get(`${matchName(match)} ${match.mirrored}`) ?? null,
    warp: warpOf(match.alignment.pairs, match.alignment.n_query),
  }));
  result.value = answer.result;
  notes.value = answer.notes;
  tookMs.value = answer.took_ms;
  suggestedCut.value = answer.suggested_cut;
  searching.value = false;
  explanation.value = null;
}

/** For each frame of the query the mean of the frames that are paired with it. */
export function warpOf(pairs: readonly number[], nQuery: number): Float32Array {
  const warp = new Float32Array(nQuery);
  const counts = new Uint16Array(nQuery);
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const q = pairs[i]!;
    if (q >= nQuery) continue;
    warp[q]! += pairs[i + 1]!;
    counts[q]!++;
  }
  let last = 0;
  for (let q = 0; q < nQuery; q++) {
    last = warp[q] = counts[q] ? warp[q]! / counts[q]! : last;
  }
  return warp;
}

/** The frame of a match's motion at a moment of the query's clock. */
export function frameInStep(match: Found, moment: number): number {
  const at = moment * match.alignment.rate_hz;
  const last = match.warp.length - 1;
  const before = Math.min(Math.max(Math.floor(at), 0), last);
  const after = Math.min(before + 1, last);
  const share = Math.min(Math.max(at - before, 0), 1);
  const frame = match.warp[before]! + (match.warp[after]! - match.warp[before]!) * share;
  return (frame / match.alignment.rate_hz) * (match.motion?.hz ?? 0);
}

async function queryOf(wanted: Wanted): Promise<QueryMotion> {
  if ("file_id" in wanted) {
    const bytes = await getBytes(`/uploads/${wanted.file_id}/motion?hz=${PLAY_HZ}`);
    const { facts, motions } = decodeFramed<{ mannequin: string; frames: number; frame_time: number }>(bytes);
    const name = route.peek().query.get("query") ?? "file";
    const whole = { clip_id: 0, start: 0, stop: facts.frames };
    return { segment: whole, clip: name, mannequin: facts.mannequin, frame_time: facts.frame_time, motion: motions[0]! };
  }
  const page = await getJson<ClipPage>(`/clips?ids=${wanted.clip_id}`);
  const of = page.clips[0];
  if (!of) throw new ApiError(404, `there is no clip #${wanted.clip_id}`);
  return { segment: wanted, clip: of.clip, mannequin: of.mannequin, frame_time: of.frame_time, motion: null };
}

async function loadMotions(wanted: Wanted, aborted: AbortSignal): Promise<void> {
  const matches = found.peek();
  const keys = [...new Set([query.peek()!.mannequin, ...matches.map((match) => match.mannequin)])];
  const segments = [...("file_id" in wanted ? [] : [wanted]), ...matches.map(matchSegment)];
  const [motions] = await awaited(Promise.all([segmentMotions(segments, PLAY_HZ, {}, aborted), ...keys.map(mannequin)]));
  if (aborted.aborted) return;
  batch(() => {
    const own = "file_id" in wanted ? 0 : 1;
    if (own) query.value = { ...query.peek()!, motion: motions[0]! };
    found.value = matches.map((match, i) => ({ ...match, motion: motions[i + own]! }));
  });
}

export function judge(verdict: Verdict | null): void {
  const match = chosenMatch.peek();
  if (!match) return;
  const next = new Map(verdicts.peek());
  if (verdict) next.set(matchName(match), verdict);
  else next.delete(matchName(match));
  verdicts.value = next;
  const kept = new Map(accepted.peek());
  if (verdict === "accepted") kept.set(matchName(match), kept.get(matchName(match)) ?? keptMatch(match));
  else kept.delete(matchName(match));
  accepted.value = kept;
  judged.value = { ...judged.peek(), [lastQuery]: { verdicts: [...next], accepted: [...kept] } };
  choose(chosen.peek() + 1);
}

/** A match as the basket and selections take it. */
export function keptMatch(match: Found): Kept {
  return { segment: matchSegment(match), clip: match.clip, ...(result.peek() ? { result: result.peek()! } : {}), rank: match.rank };
}

/** What is kept and exported: all that was accepted, else what was found and not rejected. */
export const wantedMatches = computed<readonly Kept[]>(() => {
  if (accepted.value.size) return [...accepted.value.values()];
  return found.value.filter((match) => verdicts.value.get(matchName(match)) !== "rejected").map(keptMatch);
});

export function choose(index: number): void {
  chosen.value = Math.min(Math.max(index, 0), Math.max(0, found.peek().length - 1));
}

export function ranksWith(verdict: Verdict): number[] {
  return found.peek().filter((match) => verdicts.peek().get(matchName(match)) === verdict).map((match) => match.rank);
}

/** Learn from what was accepted and rejected, and list anew. */
export async function teach(): Promise<void> {
  const [good, bad] = [ranksWith("accepted"), ranksWith("rejected")];
  const wanted = query.peek();
  if (!wanted || (!good.length && !bad.length)) return;
  searching.value = true;
  underWay?.abort();
  const mine = (underWay = new AbortController());
  const begun = performance.now();
  try {
    const body = { result: result.peek(), accepted: good, rejected: bad };
    const answer = await awaited(postJson<SearchAnswer>("/feedback", body, { signal: mine.signal }));
    batch(() => {
      take(answer);
      chosen.value = 0;
      learnedFrom.value = good.length + bad.length;
      matchesShown.value = performance.now() - begun;
    });
    taughtAt = route.peek().query.toString();
    await loadMotions(wanted.segment.clip_id ? wanted.segment : { file_id: lastQuery }, mine.signal);
  } catch (error) {
    if (mine.signal.aborted) return;
    searching.value = false;
    problem.value = inWords(error);
  }
}

/** Why the chosen match is as far as it is: asked for when it is chosen and looked at. */
let explaining: AbortController | null = null;
effect(() => {
  const match = chosenMatch.value;
  const name = result.value;
  explaining?.abort();
  if (!match || !name || route.value.view !== "find" || searching.value) return;
  if (["wpca", "web"].includes(match.method)) {
    explanation.value = null;
    return;
  }
  const mine = (explaining = new AbortController());
  setTimeout(() => {
    if (mine.signal.aborted) return;
    postJson<Explanation>("/explain", { result: name, rank: match.rank }, { signal: mine.signal }).then(
      (answer) => (explanation.value = answer),
      () => {},
    );
  }, 150);
});
