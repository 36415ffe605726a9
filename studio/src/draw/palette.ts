/** The colours of the film strips (picture/figure.py, picture/strip.py), and what they become on a dark page. */
import { effect, signal } from "@preact/signals";

export type Theme = "light" | "dark";

export interface Palette {
  left: string;
  right: string;
  middle: string;
  outline: string;
  highlight: string;
  shadow: string;
  floor: string;
  grid: string;
  ink: string;
  faint: string;
  path: string;
  paper: string;
  accept: string;
  reject: string;
  mark: string;
}

const LIGHT: Palette = {
  left: "#3b82c4",
  right: "#ee9336",
  middle: "#a9b1bb",
  outline: "#2a323d",
  highlight: "#c2257a",
  shadow: "#cfd4da",
  floor: "#f1f3f5",
  grid: "#dde1e6",
  ink: "#39424e",
  faint: "#68727e",
  path: "#6b4e9b",
  paper: "#ffffff",
  accept: "#2f9e77",
  reject: "#c0392b",
  mark: "#6b4e9b",
};

const DARK: Palette = {
  ...LIGHT,
  left: "#4a93d6",
  right: "#f0a04c",
  middle: "#98a1ac",
  outline: "#0d1116",
  highlight: "#e65aa3",
  shadow: "#14181d",
  floor: "#20262d",
  grid: "#343c46",
  ink: "#dde2e8",
  faint: "#97a1ad",
  path: "#a98be0",
  paper: "#1a1f25",
  accept: "#4fc39a",
  reject: "#e8675a",
  mark: "#a98be0",
};

const STORED = "motionary-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const system = signal<Theme>(dark.matches ? "dark" : "light");
/** What the user chose; null follows the system. */
export const chosenTheme = signal<Theme | null>(localStorage.getItem(STORED) as Theme | null);
export const theme = signal<Theme>(chosenTheme.value ?? system.value);
export const palette = signal<Palette>(theme.value === "dark" ? DARK : LIGHT);

dark.addEventListener("change", () => {
  system.value = dark.matches ? "dark" : "light";
});

effect(() => {
  theme.value = chosenTheme.value ?? system.value;
  palette.value = theme.value === "dark" ? DARK : LIGHT;
  document.documentElement.dataset["theme"] = theme.value;
});

export function toggleTheme(): void {
  chosenTheme.value = theme.value === "dark" ? "light" : "dark";
  localStorage.setItem(STORED, chosenTheme.value);
}

/** 0xAABBGGRR, as a shader unpacks it. */
export function packed(colour: string, alpha = 1): number {
  const value = Number.parseInt(colour.slice(1), 16);
  const a = Math.round(alpha * 255);
  return ((a << 24) | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

export function mix(a: string, b: string, share: number): string {
  const x = Number.parseInt(a.slice(1), 16);
  const y = Number.parseInt(b.slice(1), 16);
  const of = (shift: number): number => {
    const p = (x >> shift) & 255;
    return Math.round(p + (((y >> shift) & 255) - p) * share);
  };
  return `#${[16, 8, 0].map((shift) => of(shift).toString(16).padStart(2, "0")).join("")}`;
}

const SERIES = ["#3b82c4", "#d97f1f", "#6b4e9b", "#2f9e77", "#b8405e", "#8a6d3b", "#1b9db0", "#d1699f"];

/** The same colour for a label everywhere. */
export function labelColour(label: string): string {
  let hash = 7;
  for (const letter of label) hash = (hash * 31 + letter.codePointAt(0)!) >>> 0;
  return SERIES[hash % SERIES.length]!;
}

const WARM = ["#f6b26b", "#c0392b", "#4a0d1f"];
const COOL = ["#8fb8dc", "#2d6ca8"];
const WARM_ON_DARK = ["#7c3a24", "#d9722e", "#ffe3b0"];
const COOL_ON_DARK = ["#2d5680", "#8fc4f2"];
const NOTHING = { light: "#f4f5f7", dark: "#252c34" }; // at 0: hardly more than the sheet

/** Of a value from −1 to 1, as in the heat strips: next to nothing at 0, red above, blue below. */
export function heatColour(value: number): string {
  const on = theme.value;
  const [warm, cool] = on === "dark" ? [WARM_ON_DARK, COOL_ON_DARK] : [WARM, COOL];
  const stops = [NOTHING[on], ...(value >= 0 ? warm : cool)];
  const place = Math.min(Math.abs(value), 1) * (stops.length - 1);
  const stop = Math.min(Math.floor(place), stops.length - 2);
  return mix(stops[stop]!, stops[stop + 1]!, place - stop);
}

/** The colours from 0 to 1, for a legend. */
export function heatGradient(): string {
  return `linear-gradient(to right, ${[0, 1 / 3, 2 / 3, 1].map(heatColour).join(", ")})`;
}
