/** Motions as they travel: node positions in whole units of `scale`, after a header of 32 bytes. */

const HEADER = 32;
const MAGIC = 0x4e544f4d; // "MOTN", little-endian

export interface Motion {
  nodes: number;
  frames: number;
  hz: number;
  scale: number;
  origin: readonly [number, number, number];
  data: Int16Array;
}

/** All motions of an answer, one after the other. */
export function decodeMotions(bytes: ArrayBuffer): Motion[] {
  const view = new DataView(bytes);
  const motions: Motion[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    if (bytes.byteLength - at < HEADER || view.getUint32(at, true) !== MAGIC) {
      throw new Error("The server sent a motion that this page cannot read.");
    }
    const version = view.getUint16(at + 4, true);
    if (version !== 1) throw new Error(`The server sent motions of version ${version}. Reload the page.`);
    const nodes = view.getUint16(at + 6, true);
    const frames = view.getUint32(at + 8, true);
    const length = frames * nodes * 3;
    if (at + HEADER + 2 * length > bytes.byteLength) throw new Error("The server sent half a motion.");
    motions.push({
      nodes,
      frames,
      scale: view.getFloat32(at + 12, true),
      origin: [view.getFloat32(at + 16, true), view.getFloat32(at + 20, true), view.getFloat32(at + 24, true)],
      hz: view.getFloat32(at + 28, true),
      data: new Int16Array(bytes.slice(at + HEADER, at + HEADER + 2 * length)),
    });
    at += HEADER + 2 * length;
  }
  return motions;
}

/** Write the places of all nodes at `frame` into `out`; between two frames they are drawn on the straight line. */
export function placesAt(motion: Motion, frame: number, out: Float32Array): Float32Array {
  const { nodes, data, scale, origin } = motion;
  const clamped = Math.min(Math.max(frame, 0), motion.frames - 1);
  const before = Math.floor(clamped);
  const after = Math.min(before + 1, motion.frames - 1);
  const share = clamped - before;
  const width = nodes * 3;
  for (let i = 0; i < width; i++) {
    const a = data[before * width + i]!;
    const b = data[after * width + i]!;
    out[i] = (a + (b - a) * share) * scale + origin[i % 3]!;
  }
  return out;
}

/** JSON and motions of one answer: the length of the JSON, the JSON, the motions. */
export function decodeFramed<T>(bytes: ArrayBuffer): { facts: T; motions: Motion[] } {
  const length = new DataView(bytes).getUint32(0, true);
  const facts = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as T;
  return { facts, motions: decodeMotions(bytes.slice(4 + length)) };
}
