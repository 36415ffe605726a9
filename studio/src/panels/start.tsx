/** What the page begins with: how to go on, and the labels of the bank at a glance. */
import { signal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";

import { getJson } from "../api/client";
import type { Motion } from "../api/motion";
import type { LabelledList } from "../api/schema";
import type { Mannequin } from "../draw/mannequin";
import { labelColour, palette } from "../draw/palette";
import { drawPoses, paint } from "../draw/poster";
import { bank, lostOr } from "../state/bank";
import { clipsOf } from "../state/figures";
import { label } from "../state/filter";
import { mannequin } from "../state/mannequins";
import { segmentMotions } from "../state/motions";
import { route } from "../state/route";
import { count, duration } from "../ui/format";

const MOST = 24; // labels, the most used ones
const AT_ONCE = 6;
const POSTER_HZ = 5;
const POSES = [0.15, 0.5, 0.85]; // shares of a segment

interface Shown {
  motion: Motion;
  body: Mannequin;
}

const shown = signal<ReadonlyMap<string, Shown>>(new Map());

export default function Start() {
  const known = bank.value;
  const labels = [...(known?.labels ?? [])].sort((a, b) => b.clips - a.clips).slice(0, MOST);
  const names = labels.map((one) => one.label).join("\n");
  useSignalEffect(() => {
    if (bank.value?.labels.length) void load(names.split("\n"));
  });
  if (!known?.clips) return null; // the page says what to do first
  return (
    <div class="page start">
      <h1>
        {count(known.clips, "clip")}, {duration(known.seconds)} of motion
      </h1>
      <p>
        Open a clip on the left. Mark two seconds of it with <kbd>I</kbd> and <kbd>O</kbd>, then press <kbd>F</kbd> to
        find every segment like it.
      </p>
      <p class="faint">
        <kbd>/</kbd> filters by words, <kbd>Space</kbd> plays, <kbd>?</kbd> lists all keys.
      </p>
      {labels.length > 0 && <h2>{labels.length < known.labels.length ? `The ${labels.length} most used labels, and how many clips have them` : "Labels, and how many clips have them"}</h2>}
      <div class="cards">
        {labels.map((one) => (
          <button key={one.label} class="card" aria-pressed={label.value === one.label} title={`List the clips labelled ${one.label}`} onClick={() => (label.value = label.value === one.label ? "" : one.label)}>
            <Poster name={one.label} />
            <span class="title clipped" style={{ borderColor: labelColour(one.label) }}>
              {one.label}
            </span>
            <span class="faint small number" title={count(one.clips, "clip")}>
              {one.clips.toLocaleString("en")}
            </span>
          </button>
        ))}
      </div>
    </div>
  );
}

function Poster({ name }: { name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useSignalEffect(() => {
    const colours = palette.value;
    const found = shown.value.get(name);
    if (!canvas.current || !found) return;
    paint(canvas.current, (context, width, height) => {
      const frames = POSES.map((share) => share * (found.motion.frames - 1));
      drawPoses(context, found.motion, found.body, frames, width, height, colours);
    });
  });
  return <canvas ref={canvas} aria-hidden="true" />;
}

/** Of each label the first segment that carries it: a few labels at a time, as the list of clips is waited for, too. */
async function load(names: readonly string[]): Promise<void> {
  const missing = names.filter((name) => !shown.peek().has(name));
  try {
    for (let i = 0; i < missing.length && route.peek().view === ""; i += AT_ONCE) await loadSome(missing.slice(i, i + AT_ONCE));
  } catch (error) {
    lostOr(error);
  }
}

async function loadSome(names: readonly string[]): Promise<void> {
  const lists = await Promise.all(names.map((name) => getJson<LabelledList>(`/labels/segments?${new URLSearchParams({ label: name })}`)));
  const first = lists.flatMap(({ segments }, i) => {
    const found = segments[0];
    return found ? [{ name: names[i]!, segment: { clip_id: found.clip_id, start: found.start, stop: found.stop, mirrored: false } }] : [];
  });
  if (!first.length) return;
  const clips = await clipsOf(first.map(({ segment }) => segment.clip_id));
  const motions = await segmentMotions(first.map(({ segment }) => segment), POSTER_HZ);
  const bodies = await Promise.all(first.map(({ segment }) => mannequin(clips.get(segment.clip_id)!.mannequin)));
  const fresh = first.map(({ name }, i) => [name, { motion: motions[i]!, body: bodies[i]! }] as const);
  shown.value = new Map([...shown.peek(), ...fresh]);
}
