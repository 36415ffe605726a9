/** A board of figures that play: segments with a head and a foot each. */
import { signal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { Segment } from "../api/types";
import { redraw } from "../draw/loop";
import { register } from "../keys";
import { togglePlaying } from "../panels/play_keys";
import { toggleInBasket } from "../state/basket";
import { now, playing, range } from "../state/clock";
import { type Drawn, figuresOf } from "../state/figures";
import { report } from "../state/notices";
import { go, route, setQuery } from "../state/route";
import { FigureCell } from "./figure_cell";
import { useFittedCells } from "./fitted_cells";
import { segmentName } from "./format";

export interface BoardItem {
  segment: Segment;
  head: ComponentChildren;
  foot: ComponentChildren;
  title?: string;
}

export interface BoardGroup {
  key: string;
  heading?: ComponentChildren;
  items: readonly BoardItem[];
}

const chosen = signal(0);

function keyOf(segment: Segment): string {
  return `${segmentName(segment)}${segment.mirrored ? " mirrored" : ""}`;
}

export function Board({ groups, label }: { groups: readonly BoardGroup[]; label: string }) {
  const all = groups.flatMap((group) => group.items);
  const drawn = useDrawn(all.map((item) => item.segment));
  useEffect(() => {
    chosen.value = Math.max(1, Math.round(Number(route.peek().query.get("rank"))) || 1) - 1;
    range.value = [0, 600];
    playing.value = true;
    const back = register(
      { id: "play", title: "Play or stop", group: "Play", keys: ["Space"], run: togglePlaying },
      { id: "match-next", title: "Next", group: "Matches", keys: ["]", "ArrowRight"], run: () => step(1) },
      { id: "match-previous", title: "Previous", group: "Matches", keys: ["[", "ArrowLeft"], run: () => step(-1) },
      { id: "match-open", title: "Open the clip", group: "Matches", keys: ["Enter"], run: () => openItem(current()) },
      { id: "find", title: "Find motions like it", group: "Search", keys: ["F"], run: () => findLike(current()) },
      { id: "basket", title: "Into or out of the basket", group: "Matches", keys: ["B"], run: () => put(current()) },
    );
    return () => {
      playing.value = false;
      back();
    };
  }, []);
  items = all;
  useSignalEffect(() => {
    void [now.value, chosen.value];
    redraw();
    document.getElementById(`board-${chosen.value}`)?.scrollIntoView({ block: "nearest" });
  });
  useSignalEffect(() => {
    setQuery({ rank: chosen.value ? String(chosen.value + 1) : null }); // the address says which is chosen
  });
  const grid = useRef<HTMLDivElement>(null);
  const style = useFittedCells(grid, groups.length > 1 ? 0 : all.length);
  let index = -1;
  return (
    <div ref={grid} class="grid board" role="listbox" aria-label={label} onScroll={redraw} tabIndex={0} style={style}>
      {groups.map((group) => [
        group.heading ? (
          <h2 key={group.key} class="heading">
            {group.heading}
          </h2>
        ) : null,
        ...group.items.map((item) => {
          const mine = ++index;
          const figure = drawn.get(keyOf(item.segment));
          return (
            <FigureCell
              key={`${group.key} ${keyOf(item.segment)}`}
              motion={figure?.motion ?? null}
              mannequin={figure?.mannequin ?? null}
              attributes={{
                id: `board-${mine}`,
                role: "option",
                "aria-selected": Math.min(chosen.value, all.length - 1) === mine,
                "data-playing": Boolean(figure),
                onClick: () => (chosen.value = mine),
                onDblClick: () => openItem(item),
              }}
            >
              <div class="head">{item.head}</div>
              <div class="foot" title={item.title}>
                <span class="grow clipped">{figure?.clip.clip ?? ""}</span>
                <span class="faint number">{item.foot}</span>
              </div>
            </FigureCell>
          );
        }),
      ])}
    </div>
  );
}

/** What can be done with the chosen figure, for the bar above the board. */
export function BoardActions({ disabled }: { disabled: boolean }) {
  return (
    <>
      <button class="bare" disabled={disabled} onClick={() => openItem(current())}>
        Open <kbd>Enter</kbd>
      </button>
      <button class="bare" disabled={disabled} onClick={() => findLike(current())}>
        Find like it <kbd>F</kbd>
      </button>
      <button class="bare" disabled={disabled} onClick={() => put(current())}>
        Basket <kbd>B</kbd>
      </button>
    </>
  );
}

let items: readonly BoardItem[] = [];

/** The chosen figure; the last, if the address names one that is not there. */
function current(): BoardItem | undefined {
  return items[Math.min(chosen.peek(), items.length - 1)];
}

function step(by: number): void {
  chosen.value = Math.min(Math.max(chosen.value + by, 0), Math.max(0, items.length - 1));
}

function openItem(item: BoardItem | undefined): void {
  if (!item) return;
  const { clip_id, start, stop } = item.segment;
  go(`/clip/${clip_id}?segment=${start}-${stop}#t=${start}`);
}

function findLike(item: BoardItem | undefined): void {
  if (item) go(`/find?${new URLSearchParams({ query: segmentName(item.segment) })}`);
}

function put(item: BoardItem | undefined): void {
  if (item) toggleInBasket({ segment: item.segment, clip: item.title ?? segmentName(item.segment) });
}

const figures = signal<ReadonlyMap<string, Drawn>>(new Map());
let asked = "";

/** The figures of these segments, as they come. */
function useDrawn(segments: readonly Segment[]): ReadonlyMap<string, Drawn> {
  const key = segments.map(keyOf).join(" ");
  useEffect(() => {
    if (key === asked || !segments.length) return;
    asked = key;
    const plain = segments.map(({ clip_id, start, stop, mirrored }) => ({ clip_id, start, stop, mirrored: mirrored ?? false }));
    figuresOf(plain).then((all) => {
      figures.value = new Map(all.map((one) => [keyOf(one.segment), one]));
    }, report);
  }, [key]);
  return figures.value;
}
