/** A pose space: motions as curves with moving dots; brushing a curve makes a segment. */
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { getJson, inWords, postJson } from "../api/client";
import type { CurvesAnswer, SpaceList } from "../api/schema";
import { labelColour, palette } from "../draw/palette";
import { bank } from "../state/bank";
import { clipsOf } from "../state/figures";
import { now, playing, range } from "../state/clock";
import { report } from "../state/notices";
import { go, route, setQuery } from "../state/route";
import { ClockBar } from "../ui/clock_bar";
import { offerWording } from "../ui/copy";
import { pythonString, segmentName, segmentOf } from "../ui/format";
import { registerPlayKeys } from "./play_keys";

const spaces = signal<readonly string[]>([]);
const curves = signal<CurvesAnswer | null>(null);
const problem = signal("");
/** The brushed part: which curve, from and to which of its points. */
const brushed = signal<{ curve: number; from: number; to: number } | null>(null);
const turn = signal(0.5);

const REACH = 14; // pixels

export default function Space() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useSignalEffect(() => {
    getJson<SpaceList>("/spaces").then((answer) => (spaces.value = answer.spaces.map((one) => String((one as { space: string }).space))), report);
  });
  useSignalEffect(() => {
    const { name, query } = route.value;
    const segment = segmentOf(query.get("segment") ?? "");
    const labels = (query.get("label") ?? (segment ? "" : (bank.value?.labels[0]?.label ?? ""))).split(",").filter(Boolean);
    if (!segment && !labels.length) return;
    brushed.value = null;
    postJson<CurvesAnswer>("/spaces/curves", { space: name || null, segments: segment ? [segment] : [], labels }).then(
      (answer) => {
        curves.value = answer;
        problem.value = "";
        range.value = [0, Math.max(...answer.curves.map((curve) => curve.points.length)) / answer.rate_hz];
        now.value = 0;
        playing.value = true;
      },
      (error: unknown) => {
        curves.value = null;
        problem.value = inWords(error);
      },
    );
  });
  useSignalEffect(() => {
    void [curves.value, now.value, brushed.value, palette.value, turn.value];
    if (canvas.current) draw(canvas.current);
  });
  // The dots move without the renderer of figures
  useSignalEffect(() => {
    if (!playing.value) return;
    let last = performance.now();
    let running = true;
    const step = (time: number): void => {
      if (!running) return;
      const [from, to] = range.peek();
      now.value = to > from ? from + ((now.peek() - from + (time - last) / 1000) % (to - from)) : from;
      last = time;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    return () => {
      running = false;
    };
  });
  useEffect(() => {
    const watch = new ResizeObserver(() => canvas.current && draw(canvas.current));
    watch.observe(canvas.current!);
    const back = [
      registerPlayKeys(() => 1 / 30, () => range.peek()),
      offerWording(() => {
        const { name, query } = route.peek();
        const label = query.get("label") ?? bank.peek()?.labels[0]?.label;
        return {
          command: ["space", "show", "BANK", ...(name ? [name] : []), ...(label ? ["--label", label] : []), "-o", "space.png"],
          python: [`motionary.show_space(bank, "space.png"${name ? `, space=${pythonString(name)}` : ""}${label ? `, labels=[${pythonString(label)}]` : ""})`],
        };
      }),
    ];
    return () => {
      playing.value = false;
      watch.disconnect();
      back.forEach((undo) => undo());
    };
  }, []);
  const { name, query } = route.value;
  const part = brushedSegment();
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Pose space">
        <select aria-label="Pose space" value={name} onChange={(event) => go(`/space/${encodeURIComponent(event.currentTarget.value)}${location.search}`)}>
          <option value="">whole body</option>
          {spaces.value.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <select aria-label="Label" value={query.get("label") ?? bank.value?.labels[0]?.label ?? ""} onChange={(event) => setQuery({ label: event.currentTarget.value })}>
          {bank.value?.labels.map((one) => (
            <option key={one.label}>{one.label}</option>
          ))}
        </select>
        <input type="range" aria-label="Turn" title="Turn the space" min="0" max="6.283" step="0.01" value={turn.value} onInput={(event) => (turn.value = Number(event.currentTarget.value))} style={{ width: "7rem" }} />
        <span class="gap" />
        <span class="faint small number" role="status" data-testid="brushed">
          {part ? segmentName(part) : curves.value ? `${curves.value.curves.length} curves; brush one to mark a segment` : ""}
        </span>
        <button disabled={!part} onClick={() => part && go(`/clip/${part.clip_id}?segment=${part.start}-${part.stop}#t=${part.start}`)}>
          Open
        </button>
        <button class="chief" disabled={!part} onClick={() => part && go(`/find?${new URLSearchParams({ query: segmentName(part), by: name ? "wpca" : "exact" })}`)}>
          Find like this
        </button>
      </div>
      <div class="drawing">
        <canvas ref={canvas} style={{ pointerEvents: "auto", cursor: "crosshair" }} role="img" aria-label="Curves of motions in the pose space" onPointerDown={brush} />
        {problem.value && (
          <div class="state" role="alert">
            <h1>There are no curves to show</h1>
            <p>{problem.value}</p>
          </div>
        )}
      </div>
      <ClockBar />
    </>
  );
}

/** The brushed points as frames of the clip. */
function brushedSegment(): { clip_id: number; start: number; stop: number } | null {
  const part = brushed.value;
  const curve = part && curves.value?.curves[part.curve];
  if (!part || !curve) return null;
  const frames = curve.stop - curve.start;
  const n = Math.max(1, curve.points.length);
  const start = curve.start + Math.floor((Math.min(part.from, part.to) / n) * frames);
  const stop = curve.start + Math.ceil(((Math.max(part.from, part.to) + 1) / n) * frames);
  return stop - start > 1 ? { clip_id: curve.clip_id, start, stop: Math.min(stop, curve.stop) } : null;
}

/** What puts points of the space onto the canvas: turned about the second component. */
function projection(width: number, height: number): (point: readonly number[]) => [number, number] {
  const [sine, cosine] = [Math.sin(turn.peek()), Math.cos(turn.peek())];
  const flat = (point: readonly number[]): [number, number] => [point[0]! * cosine + (point[2] ?? 0) * sine, point[1] ?? 0];
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const curve of curves.peek()?.curves ?? []) {
    for (const point of curve.points) {
      const [x, y] = flat(point);
      left = Math.min(left, x);
      right = Math.max(right, x);
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
  }
  const scale = Math.min((width - 60) / Math.max(1e-9, right - left), (height - 60) / Math.max(1e-9, high - low));
  return (point) => {
    const [x, y] = flat(point);
    return [width / 2 + (x - (left + right) / 2) * scale, height / 2 - (y - (low + high) / 2) * scale];
  };
}

function nearest(x: number, y: number, width: number, height: number, only?: number): { curve: number; point: number } | null {
  const place = projection(width, height);
  let best: { curve: number; point: number; far: number } | null = null;
  curves.peek()?.curves.forEach((curve, c) => {
    if (only !== undefined && c !== only) return;
    curve.points.forEach((point, p) => {
      const [px, py] = place(point);
      const far = Math.hypot(px - x, py - y);
      if (!best || far < best.far) best = { curve: c, point: p, far };
    });
  });
  const found = best as { curve: number; point: number; far: number } | null;
  return found && (only !== undefined || found.far < REACH) ? found : null;
}

function brush(event: PointerEvent): void {
  const canvas = event.currentTarget as HTMLCanvasElement;
  const box = canvas.getBoundingClientRect();
  const first = nearest(event.clientX - box.left, event.clientY - box.top, box.width, box.height);
  brushed.value = null;
  if (!first) return;
  void clipsOf([curves.peek()!.curves[first.curve]!.clip_id]);
  canvas.setPointerCapture(event.pointerId);
  canvas.onpointermove = (next) => {
    const at = nearest(next.clientX - box.left, next.clientY - box.top, box.width, box.height, first.curve);
    if (at) brushed.value = { curve: first.curve, from: first.point, to: at.point };
  };
  canvas.onpointerup = canvas.onpointercancel = () => (canvas.onpointermove = null);
}

function draw(canvas: HTMLCanvasElement): void {
  const ratio = Math.min(devicePixelRatio, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (!width || !height) return;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d")!;
  const colours = palette.peek();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const told = curves.peek();
  if (!told) return;
  const place = projection(width, height);
  const part = brushed.peek();
  told.curves.forEach((curve, c) => {
    context.beginPath();
    curve.points.forEach((point, i) => {
      const [x, y] = place(point);
      if (i) context.lineTo(x, y);
      else context.moveTo(x, y);
    });
    context.strokeStyle = labelColour(`${curve.label} ${curve.clip_id}`);
    context.globalAlpha = part && part.curve !== c ? 0.2 : 0.65;
    context.lineWidth = 1.4;
    context.stroke();
    context.globalAlpha = 1;
    if (part?.curve === c) {
      context.beginPath();
      for (let i = Math.min(part.from, part.to); i <= Math.max(part.from, part.to); i++) context.lineTo(...place(curve.points[i]!));
      context.strokeStyle = colours.mark;
      context.lineWidth = 5;
      context.stroke();
    }
    const at = Math.min(Math.floor(now.peek() * told.rate_hz), curve.points.length - 1);
    const [x, y] = place(curve.points[at]!);
    context.fillStyle = colours.ink;
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    context.fill();
  });
  context.fillStyle = colours.faint;
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  context.fillText(`shares of the variance: ${told.shares.map((share) => `${Math.round(100 * share)} %`).join(", ")}`, 12, height - 12);
}
