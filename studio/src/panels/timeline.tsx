/** The timeline of the open clip: minimap, ruler, labels, plants, speed, score; drag marks a segment. */
import { signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { type Palette, labelColour, mix, palette } from "../draw/palette";
import type { ClipDetails, SegmentLabel } from "../api/types";
import { execute } from "../commands/history";
import { SetPlants } from "../commands/set_plants";
import { clip, frame, lanes, mark, setMark, toFrame } from "../state/clip";
import { changeSpeed, now, playing, speed } from "../state/clock";
import { togglePlaying } from "./play_keys";

/** The frames that are seen: null is all of them. */
const shown = signal<readonly [number, number] | null>(null);

interface Lane {
  name: string;
  top: number;
  height: number;
}

const MINIMAP = 14;
const RULER = 22;

/** Lanes from top to bottom, for a canvas of this height. */
function layout(height: number, labelRows: number): Lane[] {
  const free = height - MINIMAP - RULER - 6;
  const unit = free / (labelRows * 1.1 + 2 + 2.6 + 2.2);
  const names: [string, number][] = [
    ["labels", labelRows * 1.1],
    ["L", 1],
    ["R", 1],
    ["speed", 2.6],
    ["score", 2.2],
  ];
  let top = MINIMAP + RULER;
  return names.map(([name, share]) => {
    const lane = { name, top, height: share * unit };
    top += lane.height;
    return lane;
  });
}

/** Which row each label is drawn in, so that none hides another. */
export function rowsOf(labels: readonly SegmentLabel[], frames: number): number[] {
  const ends: number[] = [];
  const order = labels.map((label, i) => ({ start: label.start ?? 0, stop: label.stop ?? frames, i }));
  order.sort((a, b) => a.start - b.start || b.stop - a.stop);
  const rows = new Array<number>(labels.length).fill(0);
  for (const { start, stop, i } of order) {
    let row = ends.findIndex((end) => end <= start);
    if (row < 0) row = ends.length;
    ends[row] = stop;
    rows[i] = row;
  }
  return rows;
}

export default function Timeline() {
  const open = clip.value;
  return open ? <Lanes key={open.id} open={open} /> : <div class="timeline" />;
}

function Lanes({ open }: { open: ClipDetails }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const height = useSignal(160);

  useSignalEffect(() => {
    const open = clip.value;
    void [frame.value, mark.value, lanes.value, palette.value, shown.value];
    if (open && canvas.current) draw(canvas.current, open);
  });
  useEffect(() => {
    const element = canvas.current!;
    const watch = new ResizeObserver(() => {
      height.value = element.clientHeight;
      const open = clip.peek();
      if (open) draw(element, open);
    });
    watch.observe(element);
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      zoom(element, event);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    shown.value = null;
    return () => {
      watch.disconnect();
      element.removeEventListener("wheel", wheel);
    };
  }, []);

  const rows = Math.max(1, ...rowsOf(open.labels, open.frames).map((row) => row + 1));
  return (
    <div class="timeline">
      <div class="bar" role="toolbar" aria-label="Play">
        <button onClick={togglePlaying} disabled={open.frames < 2}>
          {playing.value ? "Stop" : "Play"} <kbd>Space</kbd>
        </button>
        <button class="bare" onClick={() => changeSpeed(-1)} aria-label="Slower">
          <kbd>,</kbd>
        </button>
        <span class="number small" style={{ minWidth: "2.6rem", textAlign: "center" }}>
          {speed.value} ×
        </span>
        <button class="bare" onClick={() => changeSpeed(1)} aria-label="Faster">
          <kbd>.</kbd>
        </button>
        <span class="gap" />
        <span class="faint small number">
          {now.value.toFixed(2)} s · frame {frame.value} of {open.frames}
        </span>
        <button class="bare" disabled={shown.value === null} onClick={() => (shown.value = null)}>
          Whole clip
        </button>
      </div>
      <div class="names" aria-hidden="true">
        {layout(height.value, Math.min(rows, 4)).map((lane) => (
          <span key={lane.name} style={{ top: `${lane.top + lane.height / 2}px` }}>
            {lane.name}
          </span>
        ))}
      </div>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="slider"
        aria-label="Moment"
        aria-valuemin={0}
        aria-valuemax={open.frames - 1}
        aria-valuenow={frame.value}
        aria-valuetext={`frame ${frame.value}, ${now.value.toFixed(2)} seconds`}
        onPointerDown={(event) => drag(event, open)}
        onDblClick={(event) => markLabelUnder(event, open)}
      />
    </div>
  );
}

function span(open: ClipDetails): readonly [number, number] {
  return shown.peek() ?? [0, open.frames];
}

function frameUnder(event: MouseEvent, open: ClipDetails): number {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const [from, to] = span(open);
  return Math.min(Math.max(from + ((event.clientX - box.left) / box.width) * (to - from), 0), open.frames);
}

/** The end of a plant that is under the pointer, in the lanes of feet. */
function plantEndUnder(event: PointerEvent, open: ClipDetails): { index: number; end: "start" | "stop" } | null {
  const canvas = event.currentTarget as HTMLCanvasElement;
  const box = canvas.getBoundingClientRect();
  const rows = Math.max(1, ...rowsOf(open.labels, open.frames).map((row) => row + 1));
  const lane = layout(box.height, Math.min(4, rows)).find((one) => event.clientY - box.top >= one.top && event.clientY - box.top < one.top + one.height);
  const foot = lane && { L: "left", R: "right" }[lane.name];
  if (!foot) return null;
  const [from, to] = span(open);
  const x = (at: number): number => box.left + ((at - from) / (to - from)) * box.width;
  let best: { index: number; end: "start" | "stop"; far: number } | null = null;
  open.plants.forEach((plant, index) => {
    if (plant.foot !== foot) return;
    for (const end of ["start", "stop"] as const) {
      const far = Math.abs(x(plant[end]) - event.clientX);
      if (far < 6 && (!best || far < best.far)) best = { index, end, far };
    }
  });
  return best;
}

/** Drag the end of a plant: shown while it moves, kept when it is let go. */
function dragPlant(event: PointerEvent, open: ClipDetails, index: number, end: "start" | "stop"): void {
  const canvas = event.currentTarget as HTMLCanvasElement;
  canvas.setPointerCapture(event.pointerId);
  const box = canvas.getBoundingClientRect();
  const [from, to] = span(open);
  let plants = open.plants;
  const move = (next: PointerEvent): void => {
    const at = Math.round(from + ((next.clientX - box.left) / box.width) * (to - from));
    const plant = open.plants[index]!;
    const changed =
      end === "start"
        ? { ...plant, start: Math.min(Math.max(at, 0), plant.stop - 1) }
        : { ...plant, stop: Math.max(Math.min(at, open.frames), plant.start + 1) };
    plants = open.plants.map((other, i) => (i === index ? changed : other));
    clip.value = { ...open, plants };
  };
  const done = (): void => {
    canvas.removeEventListener("pointermove", move);
    canvas.removeEventListener("pointerup", done);
    canvas.removeEventListener("pointercancel", done);
    if (plants !== open.plants) {
      void execute(new SetPlants(open.id, plants)).then((kept) => {
        if (!kept) clip.value = open;
      });
    }
  };
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", done);
  canvas.addEventListener("pointercancel", done);
}

/** Drag on the ruler moves the playhead, below it marks a segment; on the minimap it moves what is seen. */
function drag(event: PointerEvent, open: ClipDetails): void {
  const canvas = event.currentTarget as HTMLCanvasElement;
  const box = canvas.getBoundingClientRect();
  const y = event.clientY - box.top;
  const plant = plantEndUnder(event, open);
  if (plant) {
    dragPlant(event, open, plant.index, plant.end);
    return;
  }
  canvas.setPointerCapture(event.pointerId);
  const began = frameUnder(event, open);
  const on = y < MINIMAP ? "minimap" : y < MINIMAP + RULER || event.shiftKey ? "ruler" : "lanes";
  let far = false;
  const move = (next: PointerEvent): void => {
    if (on === "minimap") {
      const [from, to] = span(open);
      const width = to - from;
      const middle = ((next.clientX - box.left) / box.width) * open.frames;
      const start = Math.min(Math.max(middle - width / 2, 0), open.frames - width);
      if (shown.peek()) shown.value = [start, start + width];
      else toFrame(Math.round(middle));
      return;
    }
    const at = frameUnder(Object.assign(next, {}), open);
    far ||= Math.abs(next.clientX - event.clientX) > 4;
    if (on === "ruler" || !far) {
      toFrame(Math.floor(at));
      return;
    }
    const [start, stop] = [Math.floor(Math.min(began, at)), Math.ceil(Math.max(began, at))];
    if (stop > start) setMark({ start, stop: Math.min(stop, open.frames) });
  };
  const end = (): void => {
    canvas.removeEventListener("pointermove", move);
    canvas.removeEventListener("pointerup", end);
    canvas.removeEventListener("pointercancel", end);
  };
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  move(event);
}

/** The shortest label under the pointer becomes the segment. */
function markLabelUnder(event: MouseEvent, open: ClipDetails): void {
  const at = frameUnder(event, open);
  const under = open.labels
    .filter((label) => label.start !== null && label.start <= at && at < label.stop!)
    .sort((a, b) => a.stop! - a.start! - (b.stop! - b.start!))[0];
  if (under) setMark({ start: under.start!, stop: under.stop! });
}

function zoom(canvas: HTMLCanvasElement, event: WheelEvent): void {
  const open = clip.peek();
  if (!open) return;
  const box = canvas.getBoundingClientRect();
  const [from, to] = span(open);
  const share = (event.clientX - box.left) / box.width;
  const width = to - from;
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    const by = ((event.deltaX || event.deltaY) / box.width) * width;
    const start = Math.min(Math.max(from + by, 0), open.frames - width);
    if (shown.peek()) shown.value = [start, start + width];
    return;
  }
  const next = Math.min(Math.max(width * Math.exp(event.deltaY * 0.0015), Math.min(20, open.frames)), open.frames);
  const start = Math.min(Math.max(from + share * (width - next), 0), open.frames - next);
  shown.value = next >= open.frames ? null : [start, start + next];
}

function draw(canvas: HTMLCanvasElement, open: ClipDetails): void {
  const ratio = Math.min(devicePixelRatio, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (!width || !height) return;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d")!;
  const colours = palette.peek();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const [from, to] = span(open);
  const x = (at: number): number => ((at - from) / (to - from)) * width;
  const rows = rowsOf(open.labels, open.frames);
  const all = layout(height, Math.min(4, Math.max(1, ...rows.map((row) => row + 1))));
  const lane = (name: string): Lane => all.find((one) => one.name === name)!;
  const style = getComputedStyle(document.documentElement);
  context.font = `${0.8 * Number.parseFloat(style.fontSize)}px ${style.fontFamily}`;
  context.textBaseline = "middle";

  context.fillStyle = colours.floor;
  for (const one of all) context.fillRect(0, one.top + 1, width, one.height - 2);
  minimap(context, open, width, colours, [from, to]);
  ruler(context, open, width, colours, [from, to], x);
  labelBars(context, open, rows, lane("labels"), x, width, colours);
  for (const [name, foot] of [["L", "left"], ["R", "right"]] as const) {
    context.fillStyle = colours[foot];
    for (const plant of open.plants) {
      if (plant.foot !== foot) continue;
      const [a, b] = [x(plant.start), x(plant.stop)];
      if (b > 0 && a < width) context.fillRect(a, lane(name).top + 2, Math.max(1, b - a), lane(name).height - 4);
    }
  }
  const known = lanes.peek();
  if (known) {
    curve(context, known.speed, open, lane("speed"), x, width, colours.path, "m/s");
    if (known.score.some((value) => value !== null)) curve(context, known.score, open, lane("score"), x, width, colours.reject, "cm");
  }
  const marked = mark.peek();
  if (marked) {
    const a = x(marked.start);
    const b = x(marked.stop ?? frame.peek() + 1);
    context.fillStyle = `${colours.mark}33`;
    context.fillRect(a, MINIMAP, b - a, height - MINIMAP);
    context.fillStyle = colours.mark;
    context.fillRect(a - 1, MINIMAP, 2, height - MINIMAP);
    context.fillRect(b - 1, MINIMAP, 2, height - MINIMAP);
  }
  const at = x(frame.peek() + 0.5);
  context.fillStyle = colours.highlight;
  context.fillRect(at - 0.75, MINIMAP, 1.5, height - MINIMAP);
  context.beginPath();
  context.moveTo(at - 5, MINIMAP);
  context.lineTo(at + 5, MINIMAP);
  context.lineTo(at, MINIMAP + 7);
  context.fill();
}

function minimap(
  context: CanvasRenderingContext2D,
  open: ClipDetails,
  width: number,
  colours: Palette,
  [from, to]: readonly [number, number],
): void {
  context.fillStyle = colours.grid;
  context.fillRect(0, 2, width, MINIMAP - 5);
  for (const label of open.labels) {
    if (label.start === null) continue;
    context.fillStyle = labelColour(label.label);
    const a = (label.start / open.frames) * width;
    context.fillRect(a, 4, Math.max(1, ((label.stop! - label.start) / open.frames) * width), MINIMAP - 9);
  }
  if (to - from < open.frames) {
    context.strokeStyle = colours.ink;
    context.lineWidth = 1.5;
    context.strokeRect((from / open.frames) * width + 0.75, 1.5, ((to - from) / open.frames) * width - 1.5, MINIMAP - 4);
  }
  context.fillStyle = colours.highlight;
  context.fillRect((frame.peek() / open.frames) * width - 0.75, 0, 1.5, MINIMAP - 1);
}

function ruler(
  context: CanvasRenderingContext2D,
  open: ClipDetails,
  width: number,
  colours: Palette,
  [from, to]: readonly [number, number],
  x: (at: number) => number,
): void {
  const seconds = (to - from) * open.frame_time;
  const step = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120].find((one) => (one / seconds) * width > 62) ?? 300;
  context.textAlign = "left";
  for (let at = Math.ceil((from * open.frame_time) / step) * step; at <= to * open.frame_time; at += step) {
    const left = x(at / open.frame_time);
    context.fillStyle = colours.faint;
    context.fillRect(left, MINIMAP + RULER - 5, 1, 5);
    context.fillText(`${step < 1 ? at.toFixed(2) : Math.round(at)} s`, left + 4, MINIMAP + RULER / 2 - 1);
  }
}

function labelBars(
  context: CanvasRenderingContext2D,
  open: ClipDetails,
  rows: readonly number[],
  lane: Lane,
  x: (at: number) => number,
  width: number,
  colours: Palette,
): void {
  const n = Math.min(4, Math.max(1, ...rows.map((row) => row + 1)));
  const each = lane.height / n;
  open.labels.forEach((label, i) => {
    const a = Math.max(0, x(label.start ?? 0));
    const b = Math.min(width, x(label.stop ?? open.frames));
    if (b <= a || rows[i]! >= n) return;
    const top = lane.top + rows[i]! * each + 1.5;
    const colour = labelColour(label.label);
    const spread = label.origin === "spread";
    context.fillStyle = mix(colour, colours.paper, spread ? 0.82 : 0.68);
    context.fillRect(a, top, b - a - 1, each - 3);
    if (spread) hatch(context, a, top, b - a - 1, each - 3, colour, label.strength ?? 0.5);
    context.fillStyle = colour;
    context.fillRect(a, top, 3, each - 3);
    context.fillStyle = colours.ink;
    context.fillText(shortened(label.label, b - a - 11, (text) => context.measureText(text).width), a + 7, top + (each - 3) / 2);
  });
}

/** As much of a name as fits, and nothing where it could not be recognised. */
export function shortened(name: string, room: number, widthOf: (text: string) => number): string {
  if (widthOf(name) <= room) return name;
  for (let n = name.length - 1; n >= 2; n--) {
    const text = `${name.slice(0, n)}…`;
    if (widthOf(text) <= room) return text;
  }
  return "";
}

/** Spread labels are hatched, the denser the stronger. */
function hatch(
  context: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  height: number,
  colour: string,
  strength: number,
): void {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.strokeStyle = `${colour}88`;
  context.lineWidth = 1;
  const gap = 12 - 8 * Math.min(Math.max(strength, 0), 1);
  context.beginPath();
  for (let at = left - height; at < left + width; at += gap) {
    context.moveTo(at, top + height);
    context.lineTo(at + height, top);
  }
  context.stroke();
  context.restore();
}

function curve(
  context: CanvasRenderingContext2D,
  values: readonly (number | null)[],
  open: ClipDetails,
  lane: Lane,
  x: (at: number) => number,
  width: number,
  colour: string,
  unit: string,
): void {
  const most = Math.max(1e-6, ...values.map((value) => value ?? 0));
  const foot = lane.top + lane.height - 2;
  context.beginPath();
  let open_ = false;
  values.forEach((value, i) => {
    if (value === null) {
      open_ = false;
      return;
    }
    const left = x(((i + 0.5) * open.frames) / values.length);
    const y = foot - (value / most) * (lane.height - 5);
    if (open_) context.lineTo(left, y);
    else context.moveTo(left, y);
    open_ = true;
  });
  context.strokeStyle = colour;
  context.lineWidth = 1.4;
  context.stroke();
  const text = `${most.toFixed(most < 10 ? 1 : 0)} ${unit}`;
  const wide = context.measureText(text).width;
  const colours = palette.peek();
  context.fillStyle = `${colours.floor}cc`;
  context.fillRect(width - wide - 8, lane.top + 2, wide + 6, 14);
  context.fillStyle = colours.faint;
  context.fillText(text, width - wide - 5, lane.top + 9);
}
