/** The solid figure around the nodes of a motion: capsules between two nodes, and a head. */
import type { MannequinAnswer, Side } from "../api/types";

export interface Bone {
  a: number;
  b: number;
  radiusA: number; // metres
  radiusB: number;
  limb: number;
  side: Side;
}

export interface Mannequin {
  names: string[];
  bones: Bone[];
  sides: Side[]; // of each node
  starts: number[]; // nodes at which a left or right limb begins
  tips: number[]; // the nodes whose paths tell most: the ends of the limbs
  centre: number;
  size: number; // metres, about the height
  head: Head | null;
}

interface Head {
  from: number; // nodes: the head lies along the line from one to the other
  to: number;
  hasTip: boolean; // it ends at the second; without a tip, it begins there
  halfLength: number;
  halfWidth: number;
}

const HEAD_LIMB = -1;

export function mannequinOf(answer: MannequinAnswer): Mannequin {
  const bones: Bone[] = answer.capsules.map(({ nodes, radii, limb, side }) => ({
    a: nodes[0]!,
    b: nodes[1]!,
    radiusA: radii[0]!,
    radiusB: radii[1]!,
    limb,
    side,
  }));
  const n = answer.nodes.length;
  const given = answer.head;
  let head: Head | null = null;
  if (given) {
    const [from, to] = given.tip === null ? [given.neck, given.joint] : [given.joint, given.tip];
    head = { from, to, hasTip: given.tip !== null, halfLength: given.half_length, halfWidth: given.half_width };
    bones.push({ a: n, b: n + 1, radiusA: 0.86 * head.halfWidth, radiusB: head.halfWidth, limb: HEAD_LIMB, side: "middle" });
  }
  const sides = answer.nodes.map((node) => node.side);
  return {
    names: answer.nodes.map((node) => node.name),
    bones,
    sides,
    starts: answer.nodes.flatMap((node, i) =>
      node.side !== "middle" && (sides[node.parent] ?? "middle") === "middle" ? [i] : [],
    ),
    tips: tipsOf(answer),
    head,
    centre: answer.centre,
    size: answer.size,
  };
}

/** The compass direction in which the body faces: across the line from its left to its right limbs. */
export function facing(places: Float32Array, mannequin: Mannequin): number {
  let x = 0;
  let z = 0;
  for (const node of mannequin.starts) {
    const sign = mannequin.sides[node] === "left" ? 1 : -1;
    x += sign * places[3 * node]!;
    z += sign * places[3 * node + 2]!;
  }
  return Math.hypot(x, z) < 1e-6 ? 0 : Math.atan2(-z, x);
}

/** Of every left or right limb the last joint that has a capsule: hands and feet. */
function tipsOf(answer: MannequinAnswer): number[] {
  const of = new Map<string, number>();
  answer.nodes.forEach((node, i) => {
    const isEnd = / (end|heel)$/.test(node.name);
    if (node.side !== "middle" && node.radius > 0 && !isEnd) of.set(`${node.limb} ${node.side}`, i);
  });
  return [...of.values()];
}

/** The places of the nodes, and after them the two ends of the head: a capsule as long and wide as it. */
export function withHead(places: Float32Array, mannequin: Mannequin): Float32Array {
  const { head } = mannequin;
  if (!head) return places;
  const all = new Float32Array(places.length + 6);
  all.set(places);
  const [p, q] = [3 * head.from, 3 * head.to];
  const axis = [0, 1, 2].map((i) => places[q + i]! - places[p + i]!);
  const reach = Math.hypot(...axis) || 1;
  const centre = head.hasTip ? -head.halfLength : 0.8 * head.halfLength;
  const half = Math.max(0, head.halfLength - head.halfWidth);
  for (let i = 0; i < 3; i++) {
    all[places.length + i] = places[q + i]! + (axis[i]! / reach) * (centre - half);
    all[places.length + 3 + i] = places[q + i]! + (axis[i]! / reach) * (centre + half);
  }
  return all;
}
