/** What a cell shows: figures and lines, written as shapes of the one shader. */
import { type Mannequin, withHead } from "./mannequin";
import type { OrbitCamera } from "./camera";
import { type Palette, mix, packed } from "./palette";
import { KIND, TEXTURE_WIDTH } from "./shaders";

export interface Figure {
  mannequin: Mannequin;
  places: Float32Array; // three numbers for every node
  alpha?: number;
  tint?: string; // instead of the sides' colours
  lit?: ReadonlySet<string>; // names of joints that stand out
  shadow?: boolean;
}

export interface Line {
  points: Float32Array; // three numbers for every point
  colour: string;
  width: number; // pixels
  alpha?: number;
  onGround?: boolean;
}

export interface Scene {
  camera: OrbitCamera;
  ground: boolean;
  groundSize?: number;
  figures: Figure[];
  lines?: Line[];
}

const WORDS = 8; // of a shape: two nodes, kind, colour, two radii, two that are free
export const SHAPES_IN_ROW = (4 * TEXTURE_WIDTH) / WORDS; // of their texture

/** The shapes of one frame, of all cells one after the other. */
export class Batch {
  words = new Uint32Array(WORDS * SHAPES_IN_ROW * 8);
  floats = new Float32Array(this.words.buffer);
  shapes = 0;
  places = new Float32Array(4 * TEXTURE_WIDTH * 4);
  nodes = 0;

  clear(): void {
    this.shapes = 0;
    this.nodes = 0;
  }

  add(a: number, b: number, kind: number, colour: number, radiusA: number, radiusB: number): void {
    let at = this.shapes * WORDS;
    if (at + WORDS > this.words.length) this.grow();
    this.words[at++] = a;
    this.words[at++] = b;
    this.words[at++] = kind;
    this.words[at++] = colour;
    this.floats[at++] = radiusA;
    this.floats[at] = radiusB;
    this.shapes++;
  }

  /** Put places into the texture; the index of the first. */
  put(places: Float32Array): number {
    const count = places.length / 3;
    const first = this.nodes;
    while (4 * (first + count) > this.places.length) {
      const larger = new Float32Array(2 * this.places.length);
      larger.set(this.places);
      this.places = larger;
    }
    for (let i = 0, from = 0, to = 4 * first; i < count; i++, from += 3, to += 4) {
      this.places[to] = places[from]!;
      this.places[to + 1] = places[from + 1]!;
      this.places[to + 2] = places[from + 2]!;
    }
    this.nodes += count;
    return first;
  }

  private grow(): void {
    const larger = new Uint32Array(2 * this.words.length);
    larger.set(this.words);
    this.words = larger;
    this.floats = new Float32Array(larger.buffer);
  }
}

/** Write a scene into the batch, what is behind first: ground, shadows, lines on it, figures from far to near. */
export function addScene(batch: Batch, scene: Scene, colours: Palette): void {
  const { camera } = scene.camera;
  if (scene.ground) {
    const reach = scene.groundSize ?? 9;
    batch.add(0, 0, KIND.ground, packed(colours.floor), reach, reach);
  }
  const lines = (scene.lines ?? []).map((line) => ({ line, first: batch.put(line.points) }));
  for (const { line, first } of lines) {
    if (line.onGround) addLine(batch, line, first, KIND.groundLine);
  }
  const view = camera.matrixWorldInverse.elements;
  const depth = (places: Float32Array, node: number): number =>
    view[2]! * places[3 * node]! + view[6]! * places[3 * node + 1]! + view[10]! * places[3 * node + 2]!;
  const figures = scene.figures
    .map((figure) => ({ ...figure, places: withHead(figure.places, figure.mannequin) }))
    .map((figure) => ({ figure, first: batch.put(figure.places), near: depth(figure.places, figure.mannequin.centre) }))
    .sort((x, y) => x.near - y.near);
  for (const { figure, first } of figures) {
    if (figure.shadow === false) continue;
    const shade = packed(mix(colours.floor, colours.shadow, figure.alpha ?? 1));
    for (const bone of figure.mannequin.bones) {
      batch.add(first + bone.a, first + bone.b, KIND.shadow, shade, bone.radiusA, bone.radiusB);
    }
  }
  for (const { line, first } of lines) if (!line.onGround) addLine(batch, line, first, KIND.line);
  for (const { figure, first } of figures) addFigure(batch, figure, first, depth, colours);
}

function addLine(batch: Batch, line: Line, first: number, kind: number): void {
  const colour = packed(line.colour, line.alpha ?? 1);
  const count = line.points.length / 3;
  for (let i = 0; i + 1 < count; i++) {
    batch.add(first + i, first + i + 1, kind, colour, line.width / 2, line.width / 2);
  }
}

/** Limbs from far to near, of each first all outlines: so bones of one limb have no seam between them. */
function addFigure(
  batch: Batch,
  figure: Figure,
  first: number,
  depth: (places: Float32Array, node: number) => number,
  colours: Palette,
): void {
  const { mannequin, places, alpha = 1, tint, lit } = figure;
  const sums = new Map<number, { near: number; bones: { index: number; near: number }[] }>();
  mannequin.bones.forEach((bone, index) => {
    const near = (depth(places, bone.a) + depth(places, bone.b)) / 2;
    let limb = sums.get(bone.limb);
    if (!limb) sums.set(bone.limb, (limb = { near: 0, bones: [] }));
    limb.near += near;
    limb.bones.push({ index, near });
  });
  const limbs = [...sums.entries()].sort(
    ([i, x], [j, y]) => x.near / x.bones.length - y.near / y.bones.length || i - j,
  );
  const edge = packed(tint ? mix(tint, colours.outline, 0.5) : colours.outline, alpha);
  const paints = { left: 0, right: 0, middle: 0 };
  for (const side of ["left", "right", "middle"] as const) paints[side] = packed(tint ?? colours[side], alpha);
  const highlight = packed(colours.highlight, alpha);
  for (const [, { bones }] of limbs) {
    bones.sort((x, y) => x.near - y.near);
    for (const { index } of bones) {
      const bone = mannequin.bones[index]!;
      batch.add(first + bone.a, first + bone.b, KIND.outline, edge, bone.radiusA, bone.radiusB);
    }
    // All fills before all lights: the capsules of a hull have one light together
    for (const kind of [KIND.fill, KIND.light]) {
      for (const { index } of bones) {
        const bone = mannequin.bones[index]!;
        const paint = lit?.has(mannequin.names[bone.a] ?? "") ? highlight : paints[bone.side];
        const colour = kind === KIND.light ? lighter(paint) : paint;
        batch.add(first + bone.a, first + bone.b, kind, colour, bone.radiusA, bone.radiusB);
      }
    }
  }
}

/** With 22 % white in it, as the lit side of the strips' figures. */
function lighter(colour: number): number {
  const part = (shift: number): number => {
    const value = (colour >>> shift) & 255;
    return Math.round(value + (255 - value) * 0.22) << shift;
  };
  return ((colour & 0xff000000) | part(16) | part(8) | part(0)) >>> 0;
}
