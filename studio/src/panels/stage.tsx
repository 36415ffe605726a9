/** The open clip in three dimensions. */
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";

import { FROM_ABOVE, OrbitCamera } from "../draw/camera";
import { redraw } from "../draw/loop";
import { facing } from "../draw/mannequin";
import { palette } from "../draw/palette";
import type { Line, Scene } from "../draw/scene";
import { execute } from "../commands/history";
import { SetPlants } from "../commands/set_plants";
import { register } from "../keys";
import { toggleInBasket } from "../state/basket";
import {
  clip,
  clipMannequin,
  frame,
  jump,
  mark,
  markStart,
  markStop,
  markWhilePlaying,
  movedPlant,
  nudge,
  openProblem,
  opening,
  placesOfFrame,
  segment,
  setMark,
} from "../state/clip";
import { now, playing } from "../state/clock";
import { findLikeThis } from "../state/find";
import { notify } from "../state/notices";
import { route } from "../state/route";
import { offerWording } from "../ui/copy";
import { useCell, useOrbit } from "../ui/cell";
import { duration, pythonString, segmentName } from "../ui/format";
import { Waiting } from "../ui/waiting";
import { Drawing } from "./drawing";
import { registerPlayKeys } from "./play_keys";

export const follows = signal(true);
export const inPlace = signal(false);
export const trails = signal(false);
export const ghosts = signal(false);

const TRAIL_SECS = 0.75;
const TRAIL_STEPS = 24;

export default function Stage() {
  const cell = useRef<HTMLDivElement>(null);
  const camera = useMemo(() => new OrbitCamera(), []);
  const fitted = useRef(0);

  useCell(cell, () => scene(camera, fitted));
  useOrbit(cell, camera, { reset: () => (fitted.current = 0) });
  useSignalEffect(() => {
    void [follows.value, inPlace.value, trails.value, ghosts.value, clip.value, mark.value];
    redraw();
  });

  useEffect(() => {
    const back = [
      registerPlayKeys(
        () => clip.peek()?.frame_time ?? 1 / 30,
        () => [0, ((clip.peek()?.frames ?? 1) - 1) * (clip.peek()?.frame_time ?? 0)],
      ),
      register(
        { id: "start", title: "Segment starts here", group: "Segment", keys: ["I"], run: markStart },
        { id: "stop", title: "Segment ends here", group: "Segment", keys: ["O"], run: markStop },
        { id: "mark", title: "Begin or end a segment while playing", group: "Segment", keys: ["Enter"], run: markWhilePlaying },
        { id: "unmark", title: "Clear the segment", group: "Segment", keys: ["Escape"], run: () => setMark(null) },
        { id: "next", title: "Next labelled segment", group: "Segment", keys: ["]"], run: () => jump(1) },
        { id: "previous", title: "Previous labelled segment", group: "Segment", keys: ["["], run: () => jump(-1) },
        { id: "start-earlier", title: "Start one frame earlier", group: "Segment", keys: ["Alt+["], run: () => nudge(-1, 0) },
        { id: "stop-later", title: "End one frame later", group: "Segment", keys: ["Alt+]"], run: () => nudge(0, 1) },
        { id: "start-later", title: "Start one frame later", group: "Segment", keys: ["Alt+{"], run: () => nudge(1, 0) },
        { id: "stop-earlier", title: "End one frame earlier", group: "Segment", keys: ["Alt+}"], run: () => nudge(0, -1) },
        ...PLANT_KEYS.map(([foot, end, key]) => ({
          id: `plant-${foot}-${end}`,
          title: `The ${foot} foot's plant ${end === "start" ? "starts" : "ends"} here`,
          group: "Plants",
          keys: [key],
          run: () => movePlant(foot, end),
        })),
        { id: "find", title: "Find motions like the segment", group: "Search", keys: ["F"], run: findLikeThis },
        { id: "basket", title: "Segment into or out of the basket", group: "Segment", keys: ["B"], run: putInBasket },
        { id: "trails", title: "Trails", group: "Stage", keys: ["T"], run: () => (trails.value = !trails.value) },
        { id: "ghosts", title: "Ghosts", group: "Stage", keys: ["G"], run: () => (ghosts.value = !ghosts.value) },
        { id: "follow", title: "Follow the figure", group: "Camera", keys: ["C"], run: () => (follows.value = !follows.value) },
        { id: "in-place", title: "In place or travelling", group: "Stage", keys: ["P"], run: () => (inPlace.value = !inPlace.value) },
      ),
      offerWording(() => {
        const open = clip.peek();
        const shown = segment.peek() ?? (open && { clip_id: open.id, start: 0, stop: open.frames });
        const name = shown ? segmentName(shown) : `#${route.peek().name}`;
        return {
          command: ["show", "BANK", name, "-o", "strip.png"],
          python: [`motionary.show_segments(bank, [bank.segment(${pythonString(name)})], "strip.png")`],
        };
      }),
    ];
    return () => back.forEach((undo) => undo());
  }, []);

  const open = clip.value;
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Stage">
        <Toggle of={follows} keyed="C">
          Follow
        </Toggle>
        <Toggle of={inPlace} keyed="P">
          In place
        </Toggle>
        <Toggle of={trails} keyed="T">
          Trails
        </Toggle>
        <Toggle of={ghosts} keyed="G">
          Ghosts
        </Toggle>
        <span class="gap" />
        <span class="faint small clipped number">
          {segment.value
            ? `${segmentName(segment.value)}, ${duration((segment.value.stop - segment.value.start) * (open?.frame_time ?? 0))}`
            : "Mark a segment with I and O"}
        </span>
        <button class="chief" disabled={!segment.value} onClick={findLikeThis} title="Find motions like the segment">
          Find like this <kbd>F</kbd>
        </button>
      </div>
      <Drawing>
        <div ref={cell} class="view" data-testid="stage" aria-label={open ? `Figure of ${open.clip}` : "Stage"} role="img" />
        {open && (
          <div class="caption">
            <h1 class="clipped">{open.clip}</h1>
            <p class="faint small">{open.description}</p>
            {open.frames === 1 && <p class="small">This clip is a single pose: there is nothing to play.</p>}
          </div>
        )}
        {!open && opening.value && (
          <div class="state">
            <Waiting>Opening the clip…</Waiting>
          </div>
        )}
        {!open && !opening.value && (
          <div class="state">
            <h1>{openProblem.value || "There is no such clip"}</h1>
            <p class="faint">It may have been removed. The library on the left lists all clips.</p>
          </div>
        )}
        <div class="legend">
          <span>
            <i style={{ background: "var(--left)" }} />
            left
          </span>
          <span>
            <i style={{ background: "var(--right)" }} />
            right
          </span>
        </div>
      </Drawing>
    </>
  );
}

const PLANT_KEYS = [
  ["left", "start", "Alt+1"],
  ["left", "stop", "Alt+2"],
  ["right", "start", "Alt+3"],
  ["right", "stop", "Alt+4"],
] as const;

function movePlant(foot: "left" | "right", end: "start" | "stop"): void {
  const plants = movedPlant(foot, end);
  if (plants) void execute(new SetPlants(clip.peek()!.id, plants));
  else notify(`There is no plant of the ${foot} foot to ${end === "start" ? "start" : "end"} here.`, "error");
}

function putInBasket(): void {
  const marked = segment.peek();
  if (marked) toggleInBasket({ segment: marked, clip: clip.peek()!.clip });
}

function Toggle({ of, keyed, children }: { of: { value: boolean }; keyed: string; children: string }) {
  return (
    <button class="bare" aria-pressed={of.value} onClick={() => (of.value = !of.value)}>
      {children} <kbd>{keyed}</kbd>
    </button>
  );
}

let places = new Float32Array(0);

function scene(camera: OrbitCamera, fitted: { current: number }): Scene | null {
  const open = clip.peek();
  const body = clipMannequin.peek();
  if (!open || !body) return null;
  const nodes = body.names.length * 3;
  if (places.length !== nodes) places = new Float32Array(nodes);
  const at = playing.peek() ? now.peek() / open.frame_time : frame.peek();
  if (!placesOfFrame(at, places)) return null;
  const [x, z] = [places[3 * body.centre]!, places[3 * body.centre + 2]!];
  const [dx, dz] = inPlace.peek() ? [x, z] : [0, 0];
  if (fitted.current !== open.id) {
    camera.fit(x - dx, 0.5 * body.size, z - dz, 0.8 * body.size);
    camera.orbit.theta = facing(places, body) - Math.PI / 3;
    camera.orbit.phi = FROM_ABOVE;
    fitted.current = open.id;
  } else if (follows.peek() || inPlace.peek()) {
    camera.target.x = x - dx;
    camera.target.z = z - dz;
  }
  const lines: Line[] = trails.peek() ? trailLines(at, body.names.length, body.tips, dx, dz) : [];
  const figures = [{ mannequin: body, places: moved(places, dx, dz) }];
  const marked = segment.peek();
  const shown: Scene = { camera, ground: true, figures, lines };
  if (ghosts.peek() && marked) {
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const ghost = new Float32Array(nodes);
      const near = Math.round(marked.start + share * (marked.stop - 1 - marked.start));
      if (!placesOfFrame(near, ghost)) continue;
      shown.figures.push({ mannequin: body, places: moved(ghost, dx, dz), alpha: 0.28, shadow: false } as never);
    }
  }
  return shown;
}

function moved(from: Float32Array, dx: number, dz: number): Float32Array {
  if (!dx && !dz) return from;
  for (let i = 0; i < from.length; i += 3) {
    from[i]! -= dx;
    from[i + 2]! -= dz;
  }
  return from;
}

function trailLines(at: number, nodes: number, tips: readonly number[], dx: number, dz: number): Line[] {
  const open = clip.peek()!;
  const reach = TRAIL_SECS / open.frame_time;
  const pose = new Float32Array(nodes * 3);
  const points = tips.map(() => [] as number[]);
  for (let step = 0; step <= TRAIL_STEPS; step++) {
    if (!placesOfFrame(at - reach + (2 * reach * step) / TRAIL_STEPS, pose)) continue;
    tips.forEach((tip, i) => points[i]!.push(pose[3 * tip]! - dx, pose[3 * tip + 1]!, pose[3 * tip + 2]! - dz));
  }
  const colours = palette.peek();
  const body = clipMannequin.peek()!;
  return tips.map((tip, i) => ({
    points: new Float32Array(points[i]!),
    colour: colours[body.sides[tip]!] ?? colours.path,
    width: 2,
    alpha: 0.75,
  }));
}
