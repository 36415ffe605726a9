/** Poses on a 2D canvas, as in the film strips: limbs with outline, the far ones first. */
import type { Motion } from "../api/motion";
import { placesAt } from "../api/motion";
import { type Mannequin, facing, withHead } from "./mannequin";
import { type Palette, mix } from "./palette";

const ELEVATION = (14 * Math.PI) / 180;
const AZIMUTH = -Math.PI / 3;

interface Spot {
  x: number;
  y: number;
  near: number;
}

/** Draw frames of a motion side by side into a box of `width` × `height` pixels. */
export function drawPoses(
  context: CanvasRenderingContext2D,
  motion: Motion,
  mannequin: Mannequin,
  frames: readonly number[],
  width: number,
  height: number,
  colours: Palette,
): void {
  const places = new Float32Array(motion.nodes * 3);
  const slot = width / frames.length;
  const scale = Math.min((height * 0.86) / (mannequin.size * 1.1), (slot * 1.5) / mannequin.size);
  const floor = height - 0.09 * height;
  context.fillStyle = colours.floor;
  context.fillRect(0, floor - 0.12 * height, width, 0.21 * height);
  frames.forEach((frame, i) => {
    placesAt(motion, frame, places);
    // Who climbs is seen, too: the lowest part of the body is on the floor of the picture
    let [lowest, highest] = [Infinity, -Infinity];
    for (let j = 1; j < places.length; j += 3) {
      lowest = Math.min(lowest, places[j]!);
      highest = Math.max(highest, places[j]!);
    }
    const onFloor = lowest > 0.35 * mannequin.size || lowest < -0.2 ? lowest * scale : 0;
    const headIn = (highest + 0.08 * mannequin.size) * scale * Math.cos(ELEVATION) - floor; // else it is cut off
    const raised = lowest > 0 ? Math.min(Math.max(onFloor, headIn), Math.max(onFloor, lowest * scale)) : onFloor;
    drawPose(context, places, mannequin, { x: (i + 0.5) * slot, y: floor + raised, scale, azimuth: facing(places, mannequin) + AZIMUTH }, colours);
  });
}

/** Draw on a canvas as large as it is shown. */
export function paint(
  canvas: HTMLCanvasElement,
  draw: (context: CanvasRenderingContext2D, width: number, height: number) => void,
): void {
  const ratio = Math.min(devicePixelRatio, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const context = canvas.getContext("2d");
  if (!context || !width) return;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  draw(context, width, height);
}

export interface View {
  x: number; // pixels, where the centre of the body stands
  y: number;
  scale: number; // pixels per metre
  azimuth: number;
}

export function drawPose(
  context: CanvasRenderingContext2D,
  nodes: Float32Array,
  mannequin: Mannequin,
  view: View,
  colours: Palette,
): void {
  const sinA = Math.sin(view.azimuth);
  const cosA = Math.cos(view.azimuth);
  const sinE = Math.sin(ELEVATION);
  const cosE = Math.cos(ELEVATION);
  const places = withHead(nodes, mannequin);
  const cx = places[3 * mannequin.centre]!;
  const cz = places[3 * mannequin.centre + 2]!;
  const spots: Spot[] = [];
  for (let i = 0; i < places.length; i += 3) {
    const x = places[i]! - cx;
    const y = places[i + 1]!;
    const z = places[i + 2]! - cz;
    const back = x * sinA + z * cosA;
    spots.push({
      x: view.x + (x * cosA - z * sinA) * view.scale,
      y: view.y - (y * cosE - back * sinE) * view.scale,
      near: back * cosE + y * sinE,
    });
  }
  const limbs = new Map<number, { near: number; bones: Mannequin["bones"] }>();
  for (const bone of mannequin.bones) {
    const limb = limbs.get(bone.limb) ?? { near: 0, bones: [] };
    limb.near += spots[bone.a]!.near + spots[bone.b]!.near;
    limb.bones.push(bone);
    limbs.set(bone.limb, limb);
  }
  const ordered = [...limbs.values()].sort((p, q) => p.near / p.bones.length - q.near / q.bones.length);
  const edge = Math.min(1.2, Math.max(0.5, 0.012 * view.scale));
  for (const { bones } of ordered) {
    context.fillStyle = colours.outline;
    for (const bone of bones) capsule(context, spots, bone, view.scale, edge);
    for (const bone of bones) {
      context.fillStyle = colours[bone.side];
      capsule(context, spots, bone, view.scale, 0);
    }
  }
}

/** A colour of the page's paper with a figure's side in it, for what stands behind. */
export function ghostTint(colour: string, colours: Palette): string {
  return mix(colour, colours.paper, 0.55);
}

function capsule(
  context: CanvasRenderingContext2D,
  spots: readonly Spot[],
  bone: Mannequin["bones"][number],
  scale: number,
  grow: number,
): void {
  const a = spots[bone.a]!;
  const b = spots[bone.b]!;
  const ra = bone.radiusA * scale + grow;
  const rb = bone.radiusB * scale + grow;
  const far = Math.hypot(b.x - a.x, b.y - a.y);
  const along = Math.atan2(b.y - a.y, b.x - a.x);
  context.beginPath();
  if (far <= Math.abs(ra - rb) + 1e-6) {
    const larger = ra > rb ? a : b;
    context.arc(larger.x, larger.y, Math.max(ra, rb), 0, 2 * Math.PI);
  } else {
    // Where the common tangents touch, measured from the line between the centres
    const touch = Math.acos((ra - rb) / far);
    context.arc(a.x, a.y, ra, along + touch, along - touch + 2 * Math.PI);
    context.arc(b.x, b.y, rb, along - touch, along + touch);
  }
  context.fill();
}
