/** A cell with one figure that plays over and over, followed by its camera. */
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";

import { type Motion, placesAt } from "../api/motion";
import { OrbitCamera } from "../draw/camera";
import { type Mannequin, facing } from "../draw/mannequin";
import type { Figure, Line, Scene } from "../draw/scene";
import { now } from "../state/clock";
import { useCell } from "./cell";

export const SIDE_VIEW = -Math.PI / 3; // of the facing direction, as in the film strips

const FOOT = 0.1; // of what is seen: under the text at the cell's foot

export interface CellProps {
  motion: Motion | null;
  mannequin: Mannequin | null;
  /** The frame that is shown at a moment; without it the motion plays at its own speed, again and again. */
  frameAt?: (moment: number) => number;
  lit?: ReadonlySet<string>;
  lines?: (frame: number) => Line[];
  attributes?: Record<string, unknown>;
  children?: ComponentChildren;
}

export function FigureCell(props: CellProps) {
  const cell = useRef<HTMLDivElement>(null);
  const camera = useMemo(() => new OrbitCamera(), []);
  const current = useRef(props);
  current.current = props;
  const seen = useRef<Motion | null>(null);
  useCell(cell, () => {
    const { motion, mannequin, frameAt, lit, lines } = current.current;
    if (!motion || !mannequin) return null;
    const frame = frameAt ? frameAt(now.peek()) : (now.peek() * motion.hz) % Math.max(1, motion.frames - 1);
    const fresh = seen.current !== motion;
    seen.current = motion;
    const figure: Figure = { mannequin, places: new Float32Array(0), ...(lit ? { lit } : {}) };
    return followed(camera, motion, figure, frame, fresh, lines?.(frame));
  });
  return (
    <div ref={cell} class="cell" {...props.attributes}>
      {props.children}
    </div>
  );
}

/** The lowest and the highest place of the body, so that raised arms and jumps are seen. */
export function heights(motion: Motion): [number, number] {
  let [low, high] = [0, 0];
  const places = new Float32Array(motion.nodes * 3);
  for (let frame = 0; frame < motion.frames; frame += Math.max(1, motion.frames >> 4)) {
    placesAt(motion, frame, places);
    for (let i = 1; i < places.length; i += 3) {
      low = Math.min(low, places[i]!);
      high = Math.max(high, places[i]!);
    }
  }
  return [low, high];
}

/** The figure of a frame; the first look at a motion is from the side. */
export function followed(
  camera: OrbitCamera,
  motion: Motion,
  figure: Figure,
  frame: number,
  fresh: boolean,
  lines: Line[] = [],
): Scene {
  const body = figure.mannequin;
  const places = placesAt(motion, frame, new Float32Array(motion.nodes * 3));
  if (fresh) {
    const first = placesAt(motion, 0, new Float32Array(motion.nodes * 3));
    const [low, high] = heights(motion);
    const radius = Math.max(0.72 * body.size, 0.66 * (high - low));
    camera.fit(0, Math.max(0.5 * body.size, (low + high) / 2) - FOOT * radius, 0, radius);
    camera.orbit.theta = facing(first, body) + SIDE_VIEW;
  }
  camera.target.x = places[3 * body.centre]!;
  camera.target.z = places[3 * body.centre + 2]!;
  return { camera, ground: true, groundSize: 4, figures: [{ ...figure, places }], lines };
}
