/** The query's clock under the matches: scrub it, and see over time how far the chosen match is off. */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { heatColour, palette } from "../draw/palette";
import { changeSpeed, now, playing, range, seek, speed } from "../state/clock";
import { chosenMatch, explanation, query } from "../state/find";
import { togglePlaying } from "./play_keys";

export default function MatchTimeline() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useSignalEffect(() => {
    void [now.value, explanation.value, palette.value, range.value, chosenMatch.value];
    if (canvas.current) draw(canvas.current);
  });
  useEffect(() => {
    const watch = new ResizeObserver(() => canvas.current && draw(canvas.current));
    watch.observe(canvas.current!);
    return () => watch.disconnect();
  }, []);
  return (
    <div class="timeline">
      <div class="bar" role="toolbar" aria-label="Play">
        <button onClick={togglePlaying}>
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
          {query.value ? `${now.value.toFixed(2)} of ${range.value[1].toFixed(2)} s of the query` : ""}
        </span>
      </div>
      <div class="names">
        <span style={{ top: "34%" }} title="How far the match is off, moment by moment">distance</span>
        <span style={{ top: "76%" }} title="How the match's time runs against the query's: straight means equally fast">timing</span>
      </div>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="slider"
        aria-label="Moment of the query"
        aria-valuemin={0}
        aria-valuemax={range.value[1]}
        aria-valuenow={now.value}
        onPointerDown={scrub}
      />
    </div>
  );
}

function scrub(event: PointerEvent): void {
  const canvas = event.currentTarget as HTMLCanvasElement;
  canvas.setPointerCapture(event.pointerId);
  const move = (next: PointerEvent): void => {
    const box = canvas.getBoundingClientRect();
    playing.value = false;
    seek(((next.clientX - box.left) / box.width) * range.peek()[1]);
  };
  canvas.onpointermove = move;
  canvas.onpointerup = canvas.onpointercancel = () => (canvas.onpointermove = null);
  move(event);
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
  const lane = { top: 6, height: height * 0.6 - 6 };
  context.fillStyle = colours.floor;
  context.fillRect(0, lane.top, width, lane.height);
  const why = explanation.peek();
  if (why?.sizes.length) {
    const means = why.sizes.map((row) => row.reduce((sum, value) => sum + value, 0) / row.length);
    const most = Math.max(1e-9, ...why.sizes.flat().map(Math.abs));
    means.forEach((mean, i) => {
      context.fillStyle = heatColour(Math.min(1, (1.5 * mean) / most));
      const left = (i / means.length) * width;
      context.fillRect(left, lane.top, width / means.length + 1, lane.height);
    });
  }
  const match = chosenMatch.peek();
  if (match) {
    // Which of its frames the match shows at each moment: a straight line keeps the query's tempo
    const last = Math.max(1, match.warp.at(-1)!);
    const [top, bottom] = [height * 0.62, height - 6];
    context.fillStyle = colours.floor;
    context.fillRect(0, top, width, bottom - top);
    context.strokeStyle = colours.path;
    context.lineWidth = 1.6;
    context.beginPath();
    match.warp.forEach((frame, i) => {
      const x = (i / Math.max(1, match.warp.length - 1)) * width;
      const y = bottom - 2 - (frame / last) * (bottom - top - 4);
      if (i) context.lineTo(x, y);
      else context.moveTo(x, y);
    });
    context.stroke();
  }
  const at = (now.peek() / Math.max(1e-9, range.peek()[1])) * width;
  context.fillStyle = colours.highlight;
  context.fillRect(at - 0.75, 0, 1.5, height);
}
