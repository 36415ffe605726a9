/** How large the cells of a grid are: as large as lets all be seen at once, or as the user chose. */
import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

import { redraw } from "../draw/loop";

const STORED = "motionary-cell";
const STANDARD = 11; // rem, where not all have room
const LEAST = 9; // rem: what is smaller is hard to judge
const TALLEST = 1.15; // heights to a width

/** What the user chose, in rem; 0 for as large as lets all be seen. */
export const cellSize = signal(Number(localStorage.getItem(STORED) ?? "0"));

export function chooseCellSize(size: number): void {
  cellSize.value = size;
  localStorage.setItem(STORED, String(size));
  redraw();
}

/** Columns, and the height of a row, with which `n` cells fill the room best; null if they would be too small. */
export function fittedCells(n: number, width: number, height: number, least: number): { columns: number; row: number } | null {
  let best: { columns: number; row: number; size: number } | null = null;
  for (let columns = 1; columns <= n; columns++) {
    const cell = width / columns;
    const row = Math.min(height / Math.ceil(n / columns), TALLEST * cell);
    const size = Math.min(cell, row);
    if (!best || size > best.size) best = { columns, row, size };
  }
  return best && best.size >= least ? { columns: best.columns, row: Math.floor(best.row) } : null;
}

/** The style of a grid of `n` cells. */
export function useFittedCells(grid: RefObject<HTMLElement | null>, n: number): Record<string, string> {
  const [room, setRoom] = useState<readonly [number, number]>([0, 0]);
  // Before the cells are first seen: they would jump when they find out how much room there is
  useLayoutEffect(() => {
    const element = grid.current!;
    const measure = (): void => {
      setRoom([element.offsetWidth, element.offsetHeight]);
      redraw();
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const fitted = cellSize.value || !n ? null : fittedCells(Math.max(2, n), ...room, LEAST * rem);
  if (!fitted) return { "--cell": `${cellSize.value || STANDARD}rem` };
  return { "--cell": `${fitted.row}px`, gridTemplateColumns: `repeat(${fitted.columns}, minmax(0, 1fr))` };
}
