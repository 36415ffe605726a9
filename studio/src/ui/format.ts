/** Numbers and names as the command line writes them. */
import type { Segment } from "../api/types";

export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A remark, as the command line writes it, as a sentence. */
export function sentence(remark: string): string {
  return `${remark.charAt(0).toUpperCase()}${remark.slice(1)}${/[.!?]$/.test(remark) ? "" : "."}`;
}

/** A distance or mean with its unit; what has none is a small number. */
export function measured(value: number, unit: string): string {
  return unit ? `${value.toFixed(1)} ${unit}` : value.toFixed(3);
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** `#12:120-240` */
export function segmentName(segment: Segment): string {
  return `#${segment.clip_id}:${segment.start}-${segment.stop}`;
}

export function segmentOf(name: string): Segment | null {
  const found = /^#(\d+):(\d+)-(\d+)$/.exec(name);
  if (!found) return null;
  const [start, stop] = [Number(found[2]), Number(found[3])];
  return start < stop ? { clip_id: Number(found[1]), start, stop } : null;
}

/** A word as a shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** As many labels as have room side by side: how many, and how many are left over. */
export function labelsThatFit(labels: readonly string[], room: number): readonly [string[], number] {
  let used = 0;
  let n = 0;
  for (const label of labels) {
    const more = n + 1 < labels.length ? MORE_ROOM : 0;
    used += label.length + CHIP_ROOM;
    if (n && used + more > room) break;
    n++;
  }
  return [labels.slice(0, n), labels.length - n];
}

const CHIP_ROOM = 5; // of the dot, the edges and the gap, in characters
const MORE_ROOM = 3; // of "+12"

/** A value as Python reads it back. */
export function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `(${value.map((one) => `${pythonValue(one)},`).join(" ").replace(/,$/, value.length > 1 ? "" : ",")})`;
  if (typeof value === "object") {
    return `{${Object.entries(value).map(([key, one]) => `${pythonString(key)}: ${pythonValue(one)}`).join(", ")}}`;
  }
  return typeof value === "string" ? pythonString(value) : String(value as number);
}

/** A string as Python reads it back. */
export function pythonString(text: string): string {
  return JSON.stringify(text);
}
