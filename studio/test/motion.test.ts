import { expect, test } from "vitest";

import { LeastRecentlyUsed } from "../src/api/cache";
import { decodeFramed, decodeMotions, placesAt } from "../src/api/motion";

function packed(frames: number, nodes: number, value: (i: number) => number): ArrayBuffer {
  const bytes = new ArrayBuffer(32 + 2 * 3 * frames * nodes);
  const view = new DataView(bytes);
  view.setUint32(0, 0x4e544f4d, true);
  view.setUint16(4, 1, true);
  view.setUint16(6, nodes, true);
  view.setUint32(8, frames, true);
  view.setFloat32(12, 0.001, true);
  [1, 2, 3].forEach((origin, i) => view.setFloat32(16 + 4 * i, origin, true));
  view.setFloat32(28, 30, true);
  for (let i = 0; i < frames * nodes * 3; i++) view.setInt16(32 + 2 * i, value(i), true);
  return bytes;
}

test("places are units from the origin, and between frames on the straight line", () => {
  const [motion] = decodeMotions(packed(2, 1, (i) => 1000 * i));
  const places = placesAt(motion!, 0.5, new Float32Array(3));
  expect([...places]).toEqual([expect.closeTo(2.5), expect.closeTo(4.5), expect.closeTo(6.5)]);
  expect(placesAt(motion!, 9, new Float32Array(3))[0]).toBeCloseTo(4);
});

test("several motions follow each other", () => {
  const both = new Uint8Array([...new Uint8Array(packed(1, 2, () => 0)), ...new Uint8Array(packed(3, 1, () => 0))]);
  expect(decodeMotions(both.buffer).map((motion) => [motion.frames, motion.nodes])).toEqual([
    [1, 2],
    [3, 1],
  ]);
});

test("what is cut off or is no motion is refused", () => {
  const whole = packed(2, 2, () => 0);
  expect(() => decodeMotions(whole.slice(0, 40))).toThrow("half a motion");
  expect(() => decodeMotions(new ArrayBuffer(40))).toThrow("cannot read");
});

test("facts come before motions, padded to four bytes", () => {
  const text = new TextEncoder().encode('{"a":1}'.padEnd(8));
  const bytes = new Uint8Array([8, 0, 0, 0, ...text, ...new Uint8Array(packed(1, 1, () => 7))]);
  const { facts, motions } = decodeFramed<{ a: number }>(bytes.buffer);
  expect([facts.a, motions[0]!.data[0]]).toEqual([1, 7]);
});

test("what was not used for longest goes first", () => {
  const cache = new LeastRecentlyUsed<string>(10);
  cache.set("a", "A", 4);
  cache.set("b", "B", 4);
  cache.get("a");
  cache.set("c", "C", 4);
  expect([cache.get("a"), cache.get("b"), cache.get("c"), cache.bytes]).toEqual(["A", undefined, "C", 8]);
  cache.set("large", "L", 99);
  expect([cache.get("large"), cache.get("a")]).toEqual(["L", undefined]);
});
