/** What the page begins with: how to go on, and the labels of the bank at a glance. */
import { signal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";

import { getBytes, getJson } from "../api/client";
import { type Motion, decodeMotions } from "../api/motion";
import type { ClipPage } from "../api/types";
import type { Mannequin } from "../draw/mannequin";
import { labelColour, palette } from "../draw/palette";
import { drawPoses, paint } from "../draw/poster";
import { bank, lostOr } from "../state/bank";
import { label } from "../state/filter";
import { mannequin } from "../state/mannequins";
import { count, duration } from "../ui/format";

const MOST = 24; // labels, the most used ones

interface Shown {
  poster: Motion;
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
      {labels.length > 0 && <h2>{labels.length < known.labels.length ? `The ${labels.length} most used labels` : "Labels"}</h2>}
      <div class="cards">
        {labels.map((one) => (
          <button key={one.label} class="card" aria-pressed={label.value === one.label} title={`List the clips labelled ${one.label}`} onClick={() => (label.value = label.value === one.label ? "" : one.label)}>
            <Poster name={one.label} />
            <span class="title clipped" style={{ borderColor: labelColour(one.label) }}>
              {one.label}
            </span>
            <span class="faint small number">{count(one.clips, "clip")}</span>
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
      drawPoses(context, found.poster, found.body, [0, 1, 2].slice(0, found.poster.frames), width, height, colours);
    });
  });
  return <canvas ref={canvas} aria-hidden="true" />;
}

/** Of each label the first clip that carries it. */
async function load(names: readonly string[]): Promise<void> {
  try {
    const missing = names.filter((name) => !shown.peek().has(name));
    const pages = await Promise.all(missing.map((name) => getJson<ClipPage>(`/clips?${new URLSearchParams({ label: name, limit: "1" })}`)));
    const first = pages.flatMap((page, i) => page.clips.slice(0, 1).map((clip) => ({ name: missing[i]!, clip })));
    if (!first.length) return;
    const posters = decodeMotions(await getBytes(`/posters?ids=${first.map(({ clip }) => clip.id).join(",")}`));
    const bodies = await Promise.all(first.map(({ clip }) => mannequin(clip.mannequin)));
    const fresh = first.map(({ name }, i) => [name, { poster: posters[i]!, body: bodies[i]! }] as const);
    shown.value = new Map([...shown.peek(), ...fresh.filter(([, { poster }]) => poster.frames)]);
  } catch (error) {
    lostOr(error);
  }
}
