/** The clips of the bank: a list of which only what is seen is in the document. */
import { effect, signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { getBytes, getJson } from "../api/client";
import { type Motion, decodeMotions } from "../api/motion";
import { LeastRecentlyUsed } from "../api/cache";
import type { Clip, ClipPage } from "../api/types";
import { palette } from "../draw/palette";
import { drawPoses, paint } from "../draw/poster";
import { register } from "../keys";
import { bank, lostOr, revision } from "../state/bank";
import { label, words } from "../state/filter";
import { knownMannequin, mannequin } from "../state/mannequins";
import { preview } from "../state/motions";
import { go, route } from "../state/route";
import { Chip } from "../ui/chip";
import { count, duration, labelsThatFit } from "../ui/format";

const PAGE = 200;
const EXTRA = 6; // rows above and below those that are seen
const PREVIEW_HZ = 20;
const ROOM_FOR_LABELS = 21; // characters

const total = signal(0);
const pages = new Map<number, Clip[]>();
const arrived = signal(0); // counts what came in
const posters = new LeastRecentlyUsed<Motion>(8 * 1024 * 1024);
let version = 0;
let asked = new Set<number>();

effect(() => {
  void words.value;
  void label.value;
  void revision.value;
  if (!bank.value) return;
  version++;
  asked = new Set();
  void loadPage(0);
});

async function loadPage(page: number): Promise<void> {
  if (asked.has(page)) return;
  asked.add(page);
  const mine = version;
  const query = new URLSearchParams({ words: words.peek(), offset: String(page * PAGE), limit: String(PAGE) });
  if (label.peek()) query.append("label", label.peek());
  try {
    const answer = await getJson<ClipPage>(`/clips?${query}`);
    if (mine !== version) return;
    if (page === 0) pages.clear(); // the old list stays until the new one is here
    pages.set(page, answer.clips);
    total.value = answer.total;
    arrived.value++;
  } catch (error) {
    asked.delete(page);
    lostOr(error);
  }
}

function clipAt(index: number): Clip | undefined {
  return pages.get(Math.floor(index / PAGE))?.[index % PAGE];
}

const postersAsked = new Set<number>();

async function loadPosters(clips: readonly Clip[]): Promise<void> {
  const missing = clips.filter((clip) => !posters.get(String(clip.id)) && !postersAsked.has(clip.id));
  if (!missing.length) return;
  for (const clip of missing) postersAsked.add(clip.id);
  try {
    const bytes = await getBytes(`/posters?ids=${missing.map((clip) => clip.id).join(",")}`);
    const motions = decodeMotions(bytes);
    await Promise.all(missing.map((clip) => mannequin(clip.mannequin)));
    missing.forEach((clip, i) => {
      const motion = motions[i]!;
      if (motion.frames) posters.set(String(clip.id), motion, motion.data.byteLength);
    });
    arrived.value++;
  } catch (error) {
    lostOr(error);
  } finally {
    for (const clip of missing) postersAsked.delete(clip.id);
  }
}

function rowHeight(): number {
  return 4.5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

export function Library() {
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const row = useSignal(rowHeight());

  useEffect(() => {
    const element = list.current!;
    const watch = new ResizeObserver(() => {
      height.value = element.clientHeight;
      row.value = rowHeight();
    });
    watch.observe(element);
    const back = register(
      { id: "words", title: "Search words", group: "Library", keys: ["/"], run: () => search.current?.focus() },
    );
    return () => {
      watch.disconnect();
      back();
    };
  }, []);

  useSignalEffect(() => {
    void words.value;
    void label.value;
    if (list.current) list.current.scrollTop = 0;
  });

  const first = useComputed(() => Math.max(0, Math.floor(top.value / row.value) - EXTRA));
  const last = useComputed(() => Math.min(total.value, Math.ceil((top.value + height.value) / row.value) + EXTRA));

  useSignalEffect(() => {
    void arrived.value;
    const [from, to] = [first.value, last.value];
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page++) void loadPage(page);
    const seen: Clip[] = [];
    for (let i = from; i < to; i++) {
      const clip = clipAt(i);
      if (clip) seen.push(clip);
    }
    void loadPosters(seen);
  });

  const rows = [];
  const open = route.value.view === "clip" ? Number(route.value.name) : 0;
  let openIsThere = false; // its row may be far from what is seen
  void arrived.value;
  for (let i = first.value; i < last.value; i++) {
    const clip = clipAt(i);
    rows.push(<Row key={i} index={i} clip={clip} top={i * row.value} />);
    openIsThere ||= clip?.id === open;
  }
  return (
    <aside class="left" aria-label="Library">
      <div class="filter">
        <div class="row">
          <input
            ref={search}
            class="grow"
            type="search"
            placeholder="Filter by words"
            title="Words in names, labels and descriptions"
            aria-label="Words"
            value={words.value}
            onInput={(event) => (words.value = event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") event.currentTarget.blur();
              if (event.key !== "ArrowDown") return;
              event.preventDefault(); // or the list scrolls, too
              list.current?.focus();
            }}
          />
          <kbd>/</kbd>
        </div>
        <div class="row">
          <select
            class="grow"
            aria-label="Label"
            value={label.value}
            onChange={(event) => (label.value = event.currentTarget.value)}
          >
            <option value="">All labels</option>
            {bank.value?.labels.map((known) => (
              <option key={known.label} value={known.label}>
                {known.label} ({known.clips})
              </option>
            ))}
          </select>
          <span class="faint small number" role="status">
            {bank.value ? count(total.value, "clip") : ""}
          </span>
        </div>
      </div>
      <div
        ref={list}
        class="list"
        role="listbox"
        aria-label="Clips"
        tabIndex={0}
        data-keys="list"
        aria-activedescendant={openIsThere ? `clip-${open}` : undefined}
        onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
        onKeyDown={(event) => step(event, list.current!, row.value)}
      >
        <div class="tall" style={{ height: `${total.value * row.value}px` }}>
          {rows}
        </div>
      </div>
    </aside>
  );
}

/** Arrow keys in the list open the next or the previous clip. */
function step(event: KeyboardEvent, list: HTMLElement, row: number): void {
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
  if (!by) return;
  event.preventDefault();
  const open = Number(route.peek().name);
  let at = -1;
  for (const [page, clips] of pages) {
    const found = clips.findIndex((clip) => clip.id === open);
    if (found >= 0) at = page * PAGE + found;
  }
  const next = Math.min(Math.max(at + by, 0), total.peek() - 1);
  const clip = clipAt(next);
  if (!clip) return;
  go(`/clip/${clip.id}`, { replace: route.peek().view === "clip" });
  const above = next * row;
  if (above < list.scrollTop) list.scrollTop = above;
  else if (above + row > list.scrollTop + list.clientHeight) list.scrollTop = above + row - list.clientHeight;
}

function Row({ clip, index, top }: { clip: Clip | undefined; index: number; top: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const hovered = useSignal(false);
  void arrived.value;
  const poster = clip && posters.get(String(clip.id));
  const body = clip && knownMannequin(clip.mannequin);

  useSignalEffect(() => {
    void arrived.value;
    const colours = palette.value;
    const element = canvas.current;
    if (!element || hovered.value || !clip) return;
    const motion = posters.get(String(clip.id));
    const figure = knownMannequin(clip.mannequin);
    if (motion && figure) paint(element, (context, width, height) => {
      drawPoses(context, motion, figure, [0, 1, 2].slice(0, motion.frames), width, height, colours);
    });
  });
  useEffect(() => {
    const element = canvas.current;
    if (element && poster && body && !hovered.peek()) {
      paint(element, (context, width, height) => {
        drawPoses(context, poster, body, [0, 1, 2].slice(0, poster.frames), width, height, palette.peek());
      });
    }
  }, [poster, body]);

  useEffect(() => {
    let running = true;
    const stop = effect(() => {
      if (!hovered.value || !clip) return;
      const from = performance.now();
      void preview(clip.id, Math.min(clip.frames, Math.ceil(8 / clip.frame_time)), PREVIEW_HZ).then((motion) => {
        const figure = knownMannequin(clip.mannequin);
        const draw = (): void => {
          if (!running || !hovered.peek() || !canvas.current || !figure) return;
          const frame = (((performance.now() - from) / 1000) * motion.hz) % motion.frames;
          paint(canvas.current, (context, width, height) => {
            drawPoses(context, motion, figure, [frame], width, height, palette.peek());
          });
          requestAnimationFrame(draw);
        };
        draw();
      }, lostOr);
    });
    return () => {
      running = false;
      stop();
    };
  }, [clip?.id]);

  if (!clip) {
    return (
      <div class="clip" style={{ top: `${top}px` }} role="option" aria-selected="false" aria-busy="true">
        <span class="blank" />
        <span class="faint">{index + 1}</span>
      </div>
    );
  }
  const open = route.value.view === "clip" && Number(route.value.name) === clip.id;
  const [shown, left] = labelsThatFit(clip.labels, ROOM_FOR_LABELS);
  return (
    <div
      class="clip"
      id={`clip-${clip.id}`}
      role="option"
      aria-selected={open}
      data-ready={Boolean(poster && body)}
      style={{ top: `${top}px` }}
      onClick={() => go(`/clip/${clip.id}`)}
      onPointerEnter={() => (hovered.value = true)}
      onPointerLeave={() => (hovered.value = false)}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <div>
        <div class="row">
          <span class="title clipped grow">{clip.clip}</span>
          <span class="faint small number">{duration(clip.seconds)}</span>
        </div>
        <div class="faint small clipped">{clip.description || " "}</div>
        <div class="under" title={clip.labels.join(", ")}>
          {shown.map((name) => (
            <Chip key={name} label={name} />
          ))}
          {left > 0 && <span class="faint small">+{left}</span>}
        </div>
      </div>
    </div>
  );
}
