/** Review of spread labels, the most doubtful first: beside each the example that it is like. */
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { getJson } from "../api/client";
import type { SpreadLabel } from "../api/types";
import { AcceptLabels } from "../commands/accept_labels";
import type { Command } from "../commands/command";
import { execute } from "../commands/history";
import { RejectLabels } from "../commands/reject_labels";
import { redraw } from "../draw/loop";
import { register } from "../keys";
import { bank, revision } from "../state/bank";
import { now, playing, range } from "../state/clock";
import { type Drawn, figuresOf } from "../state/figures";
import { underWay } from "../state/jobs";
import { report } from "../state/notices";
import { go, route, setQuery } from "../state/route";
import { spreadLabel, told } from "../state/spreading";
import { offerWording } from "../ui/copy";
import { FigureCell } from "../ui/figure_cell";
import { useFittedCells } from "../ui/fitted_cells";
import { Chip } from "../ui/chip";
import { JobProgress } from "../ui/job_progress";
import { pythonString, segmentName } from "../ui/format";
import { Drawing } from "./drawing";
import { togglePlaying } from "./play_keys";

const MOST = 60;

const spread = signal<readonly SpreadLabel[] | null>(null);
const total = signal(0);
const chosen = signal(0);
const drawn = signal<ReadonlyMap<string, Drawn>>(new Map());
/** Decided here, but perhaps not yet in the bank: a list that was asked for before does not bring them back. */
const decided = new Set<string>();
let asked = 0;

/** The segment that a spread label is like, as the server writes it: CLIP:START-STOP. */
function keyOf(one: SpreadLabel): string {
  return `${one.label} ${one.clip_id}:${one.start}-${one.stop}`;
}

export default function Review() {
  useSignalEffect(() => {
    void revision.value;
    const label = route.value.query.get("label");
    const query = new URLSearchParams({ limit: String(MOST) });
    if (label) query.append("label", label);
    const mine = ++asked;
    getJson<{ total: number; labels: SpreadLabel[] }>(`/labels/review?${query}`).then((answer) => {
      if (mine !== asked) return;
      const left = answer.labels.filter((one) => !decided.has(keyOf(one)));
      spread.value = left;
      total.value = answer.total - (answer.labels.length - left.length);
      chosen.value = Math.min(chosen.peek(), Math.max(0, left.length - 1));
    }, report);
  });
  useSignalEffect(() => {
    const listed = spread.value ?? [];
    void figuresOf(listed.map(({ clip_id, start, stop }) => ({ clip_id, start, stop }))).then((figures) => {
      drawn.value = new Map(figures.map((one) => [segmentName(one.segment), one]));
      range.value = [0, 60];
      playing.value = true;
    }, report);
  });
  useSignalEffect(() => {
    void [drawn.value, chosen.value, now.value];
    redraw();
    document.getElementById(`spread-${chosen.value}`)?.scrollIntoView({ block: "nearest" });
  });
  useEffect(() => {
    const back = [
      register(
        { id: "accept", title: "Accept, then the next", group: "Labels", keys: ["A"], run: () => decide(AcceptLabels) },
        { id: "reject", title: "Reject, then the next", group: "Labels", keys: ["X"], run: () => decide(RejectLabels) },
        { id: "match-next", title: "Next", group: "Labels", keys: ["]", "ArrowDown", "ArrowRight"], run: () => step(1) },
        { id: "match-previous", title: "Previous", group: "Labels", keys: ["[", "ArrowUp", "ArrowLeft"], run: () => step(-1) },
        { id: "match-open", title: "Open the clip", group: "Labels", keys: ["Enter"], run: openChosen },
        { id: "play", title: "Play or stop", group: "Play", keys: ["Space"], run: togglePlaying },
      ),
      offerWording(() => {
        const label = route.peek().query.get("label");
        return {
          command: ["label", "review", "BANK", ...(label ? ["--label", label] : [])],
          python: [`for label in bank.unreviewed_labels(${label ? `labels=[${pythonString(label)}]` : ""}):`, "    print(label)"],
        };
      }),
    ];
    return () => {
      playing.value = false;
      back.forEach((undo) => undo());
    };
  }, []);

  const label = route.value.query.get("label") ?? "";
  const job = underWay("spread");
  const listed = spread.value;
  const grid = useRef<HTMLDivElement>(null);
  const style = useFittedCells(grid, listed?.length ?? 0);
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Review">
        <select aria-label="Label to review" value={label} onChange={(event) => setQuery({ label: event.currentTarget.value })}>
          <option value="">All labels</option>
          {bank.value?.labels.map((known) => (
            <option key={known.label}>{known.label}</option>
          ))}
        </select>
        <button onClick={() => decide(AcceptLabels)} disabled={!listed?.length}>
          Accept <kbd>A</kbd>
        </button>
        <button onClick={() => decide(RejectLabels)} disabled={!listed?.length}>
          Reject <kbd>X</kbd>
        </button>
        <span class="gap" />
        <span class="faint small number" role="status">
          {listed ? `${total.value} to review, the most doubtful first` : ""}
        </span>
        <button disabled={!label || Boolean(job)} onClick={() => void spreadLabel(label)} title={label ? `Put ${label} on what is like its segments` : "Choose a label first"}>
          {job ? "Spreading…" : "Spread this label"}
        </button>
      </div>
      <Drawing>
        {listed?.length === 0 && (
          <div class="state">
            <h1>{job ? "Looking for what is alike" : "Nothing to review"}</h1>
            {job ? (
              <JobProgress job={job} />
            ) : (
              <p>
                {told.value ||
                  "Choose a label above and spread it: every segment that is like one of its examples gets the label, and waits here until somebody accepts or rejects it."}
              </p>
            )}
          </div>
        )}
        <div ref={grid} class="grid" role="listbox" aria-label="Spread labels" onScroll={redraw} tabIndex={0} style={style}>
          {listed?.map((one, index) => {
            const figure = drawn.value.get(segmentName(one));
            return (
              <FigureCell
                key={keyOf(one)}
                motion={figure?.motion ?? null}
                mannequin={figure?.mannequin ?? null}
                attributes={{
                  id: `spread-${index}`,
                  role: "option",
                  "aria-selected": chosen.value === index,
                  onClick: () => (chosen.value = index),
                  onDblClick: openChosen,
                }}
              >
                <div class="head">
                  <Chip label={one.label} />
                </div>
                <div class="foot" title={`like ${one.example}`}>
                  <span class="grow clipped">{one.clip}</span>
                  <span class="faint number">{Math.round(100 * one.strength)} %</span>
                </div>
              </FigureCell>
            );
          })}
        </div>
      </Drawing>
    </>
  );
}

function step(by: number): void {
  chosen.value = Math.min(Math.max(chosen.value + by, 0), Math.max(0, (spread.peek()?.length ?? 1) - 1));
}

function openChosen(): void {
  const one = spread.peek()?.[chosen.peek()];
  if (one) go(`/clip/${one.clip_id}?segment=${one.start}-${one.stop}#t=${one.start}`);
}

function decide(Decision: new (one: SpreadLabel) => Command): void {
  const one = spread.peek()?.[chosen.peek()];
  if (!one) return;
  // It leaves the list at once; the next takes its place
  spread.value = spread.peek()!.filter((other) => other !== one);
  chosen.value = Math.min(chosen.peek(), Math.max(0, spread.peek()!.length - 1));
  total.value--;
  decided.add(keyOf(one));
  void execute(new Decision(one)).then((done) => {
    decided.delete(keyOf(one));
    if (!done) revision.value++; // it is still to be reviewed
  });
}
