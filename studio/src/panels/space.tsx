/** A pose space: motions as curves with moving dots; brushing a curve makes a segment. */
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { ApiError, getJson, inWords, postJson } from "../api/client";
import type { CurvesAnswer, SpaceList } from "../api/schema";
import { labelColour, palette } from "../draw/palette";
import { register } from "../keys";
import { bank, revision } from "../state/bank";
import { buildIndexOnce } from "../state/jobs";
import { clipsOf } from "../state/figures";
import { now, playing, range } from "../state/clock";
import { report } from "../state/notices";
import { go, route, setQuery } from "../state/route";
import { ClockBar } from "../ui/clock_bar";
import { offerWording } from "../ui/copy";
import { count, pythonString, segmentName, segmentOf } from "../ui/format";
import { IndexBuilding } from "../ui/index_building";
import { Waiting } from "../ui/waiting";
import { registerPlayKeys } from "./play_keys";

const spaces = signal<readonly string[]>([]);
const curves = signal<CurvesAnswer | null>(null);
const problem = signal("");
/** The brushed part: which curve, from and to which of its points. */
const brushed = signal<{ curve: number; from: number; to: number } | null>(null);
const turn = signal(0.5);
const loading = signal(false);
const needsIndex = signal(false);
const marking = signal(0); // the curve that keys mark

const REACH = 14; // pixels
let newest = 0; // counts the requests: what was asked for before comes too late

export default function Space() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useSignalEffect(() => {
    getJson<SpaceList>("/spaces").then((answer) => (spaces.value = answer.spaces.map((one) => String((one as { space: string }).space))), report);
  });
  useSignalEffect(() => {
    const { name, query } = route.value;
    const segment = segmentOf(query.get("segment") ?? "");
    const labels = (query.get("label") ?? (segment ? "" : (bank.value?.labels[0]?.label ?? ""))).split(",").filter(Boolean);
    void revision.value;
    brushed.value = null;
    marking.value = 0;
    if (!segment && !labels.length) {
      curves.value = null;
      return;
    }
    const mine = ++newest;
    loading.value = true;
    postJson<CurvesAnswer>("/spaces/curves", { space: name || null, segments: segment ? [segment] : [], labels }).then(
      (answer) => {
        if (mine !== newest) return;
        curves.value = answer;
        problem.value = "";
        needsIndex.value = loading.value = false;
        range.value = [0, Math.max(...answer.curves.map((curve) => curve.points.length)) / answer.rate_hz];
        now.value = 0;
        playing.value = true;
      },
      (error: unknown) => {
        if (mine !== newest) return;
        curves.value = null;
        loading.value = false;
        needsIndex.value = error instanceof ApiError && error.status === 409;
        problem.value = inWords(error);
        if (needsIndex.value) buildIndexOnce();
      },
    );
  });
  useSignalEffect(() => {
    void [curves.value, now.value, brushed.value, palette.value, turn.value, marking.value];
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
      now.value = to > from ? from + ((Math.max(0, now.peek() - from) + Math.max(0, time - last) / 1000) % (to - from)) : from;
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
      register(
        { id: "next", title: "Next curve", group: "Segment", keys: ["]"], run: () => chooseCurve(1) },
        { id: "previous", title: "Previous curve", group: "Segment", keys: ["["], run: () => chooseCurve(-1) },
        { id: "start", title: "The brushed part starts here", group: "Segment", keys: ["I"], run: () => brushHere("from") },
        { id: "stop", title: "The brushed part ends here", group: "Segment", keys: ["O"], run: () => brushHere("to") },
        { id: "find", title: "Find motions like the brushed part", group: "Search", keys: ["F"], run: findBrushed },
      ),
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
  const shownLabels = labelsShown();
  const wanted = query.get("label") ?? bank.value?.labels[0]?.label ?? "";
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Pose space">
        <select aria-label="Pose space" value={name} onChange={(event) => go(`/space/${encodeURIComponent(event.currentTarget.value)}${location.search}`)}>
          <option value="">whole body</option>
          {spaces.value.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <select aria-label="Label" value={wanted} onChange={(event) => setQuery({ label: event.currentTarget.value })}>
          {wanted.includes(",") && <option value={wanted}>{wanted.replaceAll(",", ", ")}</option>}
          {bank.value?.labels.map((one) => (
            <option key={one.label}>{one.label}</option>
          ))}
        </select>
        <span class="faint small">Turn</span>
        <input type="range" aria-label="Turn" title="Turn the space" min="0" max="6.283" step="0.01" value={turn.value} onInput={(event) => (turn.value = Number(event.currentTarget.value))} style={{ width: "7rem" }} />
        <span class="gap" />
        <span class="faint small number" role="status" data-testid="brushed">
          {part ? segmentName(part) : ""}
        </span>
        <button disabled={!part} onClick={() => part && go(`/clip/${part.clip_id}?segment=${part.start}-${part.stop}#t=${part.start}`)}>
          Open
        </button>
        <button class="chief" disabled={!part} onClick={findBrushed}>
          Find like this <kbd>F</kbd>
        </button>
      </div>
      <div class="drawing">
        <canvas ref={canvas} style={{ pointerEvents: "auto", cursor: "crosshair" }} role="img" aria-label="Curves of motions in the pose space" onPointerDown={brush} />
        {shownLabels.length > 1 && (
          <div class="legend">
            {shownLabels.map((one) => (
              <span key={one}>
                <i style={{ background: labelColour(one) }} />
                {one}
              </span>
            ))}
          </div>
        )}
        {curves.value && (
          <div class="caption">
            <p class="faint">{loading.value ? "Projecting the motions…" : `${count(curves.value.curves.length, "curve")}; brush one to mark a segment`}</p>
          </div>
        )}
        {loading.value && !curves.value && (
          <div class="state">
            <Waiting>Projecting the motions…</Waiting>
          </div>
        )}
        {problem.value && (
          <div class="state" role="alert">
            <h1>{needsIndex.value ? "The first look needs the index" : "There are no curves to show"}</h1>
            {needsIndex.value ? <IndexBuilding /> : <p>{problem.value}</p>}
          </div>
        )}
        {!loading.value && !problem.value && !curves.value && (
          <div class="state">
            <h1>Motions as curves</h1>
            <p>A pose space shows what carries a label, pose after pose. Label some segments, then choose their label above.</p>
          </div>
        )}
      </div>
      <ClockBar />
    </>
  );
}

function chooseCurve(by: number): void {
  const n = curves.peek()?.curves.length ?? 0;
  if (!n) return;
  marking.value = (marking.peek() + by + n) % n;
  brushed.value = null;
}

/** By keys: the moment of the clock on the chosen curve. */
function brushHere(end: "from" | "to"): void {
  const told = curves.peek();
  const curve = told?.curves[marking.peek()];
  if (!told || !curve) return;
  const at = Math.min(Math.floor(now.peek() * told.rate_hz), curve.points.length - 1);
  const part = brushed.peek()?.curve === marking.peek() ? brushed.peek()! : { from: at, to: at };
  brushed.value = { curve: marking.peek(), from: part.from, to: part.to, [end]: at };
}

function findBrushed(): void {
  const part = brushedSegment();
  if (part) go(`/find?${new URLSearchParams({ query: segmentName(part), by: route.peek().name ? "wpca" : "exact" })}`);
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
  marking.value = first.curve;
  void clipsOf([curves.peek()!.curves[first.curve]!.clip_id]);
  canvas.setPointerCapture(event.pointerId);
  canvas.onpointermove = (next) => {
    const at = nearest(next.clientX - box.left, next.clientY - box.top, box.width, box.height, first.curve);
    if (at) brushed.value = { curve: first.curve, from: first.point, to: at.point };
  };
  canvas.onpointerup = canvas.onpointercancel = () => (canvas.onpointermove = null);
}

/** A colour for each label; where there is only one, for each clip. */
function colourOf(curve: CurvesAnswer["curves"][number], several: boolean): string {
  return labelColour(several ? curve.label : `${curve.label} ${curve.clip_id}`);
}

function labelsShown(): string[] {
  return [...new Set((curves.value?.curves ?? []).map((curve) => curve.label).filter(Boolean))];
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
  const several = labelsShown().length > 1;
  told.curves.forEach((curve, c) => {
    context.beginPath();
    curve.points.forEach((point, i) => {
      const [x, y] = place(point);
      if (i) context.lineTo(x, y);
      else context.moveTo(x, y);
    });
    context.strokeStyle = colourOf(curve, several);
    context.globalAlpha = part && part.curve !== c ? 0.2 : 0.65;
    context.lineWidth = marking.peek() === c ? 2.4 : 1.4;
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
    context.fillStyle = marking.peek() === c ? colours.mark : colours.ink;
    context.beginPath();
    context.arc(x, y, marking.peek() === c ? 5 : told.curves.length > 20 ? 2.5 : 4, 0, 2 * Math.PI);
    context.fill();
  });
  context.fillStyle = colours.faint;
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  context.fillText(`shares of the variance: ${told.shares.map((share) => `${Math.round(100 * share)} %`).join(", ")}`, 12, height - 12);
}
