/** A stage for motions that were made: several players on one clock, handles to drag, a ground to draw on. */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";

import { placesAt } from "../api/motion";
import { FROM_ABOVE, OrbitCamera } from "../draw/camera";
import { redraw, redrawNow } from "../draw/loop";
import { facing } from "../draw/mannequin";
import { palette } from "../draw/palette";
import type { Figure, Line, Scene } from "../draw/scene";
import { now, playing, range } from "../state/clock";
import type { Played } from "../state/made";
import { registerPlayKeys } from "../panels/play_keys";
import { useCell, useOrbit } from "./cell";
import { heights } from "./figure_cell";

export interface Player extends Played {
  aside?: number; // metres, to the right as it was first seen
  alpha?: number;
  tint?: string;
  frameAt?: (moment: number) => number;
}

export interface Handle {
  at: readonly [number, number, number];
  colour?: string;
  size?: number; // pixels
  drag: (at: [number, number, number], done: boolean) => void;
}

export interface StageProps {
  players: readonly Player[];
  lines?: readonly Line[];
  handles?: readonly Handle[];
  /** Points on the ground while the mouse draws a path with this tool. */
  drawPath?: ((points: [number, number][], done: boolean) => void) | null;
  /** The camera looks at the whole way instead of following the first player. */
  overview?: boolean;
  label: string;
}

/** What the camera was set to see, and what was to its right then. */
interface Fitted {
  to: unknown;
  right: [number, number];
}

const REACH = 18; // pixels within which a handle is grabbed

export function StageView(props: StageProps) {
  const cell = useRef<HTMLDivElement>(null);
  const camera = useMemo(() => new OrbitCamera(), []);
  const current = useRef(props);
  current.current = props;
  const fitted = useRef<Fitted>({ to: null, right: [1, 0] });

  useCell(cell, () => scene(camera, current.current, fitted.current));
  useOrbit(cell, camera, {
    reset: () => (fitted.current.to = null),
    grab: (event) => {
      const element = cell.current!;
      const { handles = [], drawPath } = current.current;
      const seen = at(event, element);
      const grabbed = handles.findIndex((handle) => {
        const [x, y] = camera.seenAt(handle.at);
        const reach = Math.hypot(((x - seen[0]) * element.clientWidth) / 2, ((y - seen[1]) * element.clientHeight) / 2);
        return reach < REACH;
      });
      if (grabbed >= 0) {
        const { at: from } = handles[grabbed]!;
        return (next, done) => {
          const [x, y] = at(next, element);
          current.current.handles?.[grabbed]?.drag(camera.underPointer(x, y, from), done);
        };
      }
      if (!drawPath || event.shiftKey || event.altKey || event.button !== 0) return null;
      const points: [number, number][] = [];
      return (next, done) => {
        const [x, y] = at(next, element);
        const point = camera.groundUnder(x, y);
        const last = points.at(-1);
        if (point && (!last || Math.hypot(point[0] - last[0], point[1] - last[1]) > 0.08)) points.push(point);
        current.current.drawPath?.(points, done);
      };
    },
  });
  useEffect(() => {
    // Where handles are seen on the page, for tests that drag them
    (globalThis as { studioHandles?: unknown }).studioHandles = () => {
      const box = cell.current!.getBoundingClientRect();
      return (current.current.handles ?? []).map((handle) => {
        const [x, y] = camera.seenAt(handle.at);
        return [box.left + ((x + 1) / 2) * box.width, box.top + ((1 - y) / 2) * box.height];
      });
    };
  }, []);
  useEffect(() => {
    const back = registerPlayKeys(() => 1 / 30, () => range.peek());
    return () => {
      playing.value = false;
      back();
    };
  }, []);
  useEffect(() => {
    const longest = Math.max(0, ...props.players.map(({ motion }) => (motion.frames - 1) / motion.hz));
    if (range.peek()[0] || range.peek()[1] !== longest) range.value = [0, longest];
    redraw();
  });
  useLayoutEffect(redrawNow, [props.players]); // they were asked for
  useSignalEffect(() => {
    void [now.value, palette.value];
    redraw();
  });
  return <div ref={cell} class="view" data-testid="made" role="img" aria-label={props.label} style={props.drawPath ? { cursor: "crosshair" } : {}} />;
}

function at(event: PointerEvent, element: HTMLElement): [number, number] {
  const box = element.getBoundingClientRect();
  return [((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2];
}

function scene(camera: OrbitCamera, props: StageProps, fitted: Fitted): Scene {
  const figures: Figure[] = [];
  const first = props.players[0];
  const right = fitted.right;
  props.players.forEach((player, i) => {
    const { motion, mannequin, aside, frameAt } = player;
    const frame = frameAt ? frameAt(now.peek()) : Math.min(now.peek() * motion.hz, motion.frames - 1);
    const places = placesAt(motion, frame, new Float32Array(motion.nodes * 3));
    if (aside) {
      for (let j = 0; j < places.length; j += 3) {
        places[j]! += aside * right[0];
        places[j + 2]! += aside * right[1];
      }
    }
    const figure: Figure = { mannequin, places };
    if (player.alpha !== undefined) Object.assign(figure, { alpha: player.alpha, shadow: false });
    if (player.tint) figure.tint = player.tint;
    figures.push(figure);
    if (i > 0 || props.overview || props.handles?.length) return; // a handle stays where it is seen
    camera.target.x = places[3 * mannequin.centre]! - (aside ?? 0) * right[0];
    camera.target.z = places[3 * mannequin.centre + 2]! - (aside ?? 0) * right[1];
  });
  const key = first ? (props.overview ? first.motion : first.mannequin) : "empty";
  if (fitted.to !== key) {
    const fresh = fitted.to === null || fitted.to === "empty";
    fitted.to = key;
    fit(camera, props, fresh);
    if (fresh) fitted.right = [Math.cos(camera.orbit.theta), -Math.sin(camera.orbit.theta)];
  }
  const lines = [...(props.lines ?? [])];
  for (const handle of props.handles ?? []) {
    const colour = handle.colour ?? palette.peek().highlight;
    const place = [...handle.at, ...handle.at];
    const foot = [handle.at[0], 0, handle.at[2]];
    lines.push({ points: new Float32Array([...foot, ...handle.at]), colour, width: 1, alpha: 0.6 });
    lines.push({ points: new Float32Array(place), colour: palette.peek().paper, width: (handle.size ?? 16) + 5 });
    lines.push({ points: new Float32Array(place), colour, width: handle.size ?? 16 });
  }
  return { camera, ground: true, groundSize: props.overview ? 40 : 9, figures, lines };
}

/** See the first player, or in an overview its whole way. */
function fit(camera: OrbitCamera, props: StageProps, fresh: boolean): void {
  const first = props.players[0];
  if (!first) {
    camera.fit(0, 0, 0, 5);
    camera.orbit.phi = 0.7;
    camera.orbit.theta = 0;
    return;
  }
  const { motion, mannequin } = first;
  const places = new Float32Array(motion.nodes * 3);
  placesAt(motion, 0, places);
  if (!props.overview) {
    const wide = props.players.some((player) => player.aside) ? 1.1 : 0.8;
    const [x, z] = [places[3 * mannequin.centre]!, places[3 * mannequin.centre + 2]!];
    const [u, , w] = props.handles?.[0]?.at ?? [x, 0, z]; // what is to be dragged is seen, too
    const far = Math.hypot(u - x, w - z);
    const [low, high] = heights(motion); // raised arms and jumps are seen, too
    const middle = Math.max(0.5 * mannequin.size, (low + high) / 2);
    camera.fit((x + u) / 2, middle, (z + w) / 2, Math.max(wide * mannequin.size, 0.5 * mannequin.size + 0.55 * far, 0.68 * (high - low)));
    if (fresh) {
      camera.orbit.theta = facing(places, mannequin) - Math.PI / 3;
      camera.orbit.phi = FROM_ABOVE;
    }
    return;
  }
  let [left, right, near, far] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let frame = 0; frame < motion.frames; frame += 5) {
    placesAt(motion, frame, places);
    left = Math.min(left, places[3 * mannequin.centre]!);
    right = Math.max(right, places[3 * mannequin.centre]!);
    near = Math.min(near, places[3 * mannequin.centre + 2]!);
    far = Math.max(far, places[3 * mannequin.centre + 2]!);
  }
  camera.fit((left + right) / 2, 0.4 * mannequin.size, (near + far) / 2, Math.max(1.3, 0.62 * Math.hypot(right - left, far - near)));
  if (fresh) camera.orbit.phi = 1.05;
}
