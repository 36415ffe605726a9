/** Edit a segment, and everything that is like it: before and after, of the example or of all at once. */
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { inWords } from "../api/client";
import type { EditBody } from "../api/schema";
import { ApplyEdit } from "../commands/apply_edit";
import { execute } from "../commands/history";
import { redraw } from "../draw/loop";
import { basket } from "../state/basket";
import { bank, revision } from "../state/bank";
import { now, playing, range } from "../state/clock";
import {
  type Row,
  all,
  applied,
  body,
  bodyToApply,
  chooseOperation,
  dropped,
  keyOf,
  operation,
  operations,
  preview,
  problem,
  setTargets,
  startAnew,
  strength,
  targets,
  toggle,
} from "../state/edit";
import { figuresOf } from "../state/figures";
import type { Played } from "../state/made";
import { go, route } from "../state/route";
import { ClockBar } from "../ui/clock_bar";
import { type Wording, offerWording } from "../ui/copy";
import { FigureCell } from "../ui/figure_cell";
import { useFittedCells } from "../ui/fitted_cells";
import { count, pythonString, pythonValue, segmentName, segmentOf } from "../ui/format";
import { StageView } from "../ui/stage_view";
import { Waiting } from "../ui/waiting";
import { Drawing } from "./drawing";

const asItIs = signal<Played | null>(null); // the segment, before an operation is chosen
let asItIsOf = "";

export default function Edit() {
  useSignalEffect(() => {
    void revision.value;
    const shown = segmentOf(route.value.query.get("segment") ?? "");
    if (!shown) return;
    if (asItIs.peek() && asItIsOf !== segmentName(shown)) asItIs.value = null;
    asItIsOf = segmentName(shown);
    figuresOf([shown]).then(([one]) => {
      asItIs.value = one ?? null;
      if (!one) problem.value = `There is no clip #${shown.clip_id}.`;
    }, (error: unknown) => (problem.value = inWords(error)));
  });
  useSignalEffect(() => {
    const first = preview.value?.played[0];
    if (!first) return;
    range.value = [0, (first.motion.frames - 1) / first.motion.hz];
    redraw();
  });
  useEffect(() => {
    now.value = 0;
    playing.value = true;
    all.value = false;
    startAnew();
    return offerWording(() => {
      const wanted = bodyToApply();
      const name = route.peek().query.get("segment") ?? "#1:0-60";
      return wording(name, wanted);
    });
  }, []);

  const segment = segmentOf(route.value.query.get("segment") ?? "");
  const wanted = body();
  const rows = preview.value?.facts.edits ?? [];
  const changing = preview.value?.facts.changing ?? [];
  const usable = rows.filter((row) => changing.includes(row.number) && !row.problem && !dropped.value.has(keyOf(row)));
  if (!segment) {
    return (
      <div class="state">
        <h1>Nothing to edit</h1>
        <p>Open a clip, mark a segment, then choose “Edit” in the inspector.</p>
      </div>
    );
  }
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Edit">
        <button class="bare" onClick={() => go(`/clip/${segment.clip_id}?segment=${segment.start}-${segment.stop}`)}>
          ← Clip
        </button>
        <select aria-label="Operation" style={{ maxWidth: "14rem" }} value={operation()?.operation ?? ""} onChange={(event) => chooseOperation(event.currentTarget.value)}>
          <option value="">Choose an operation…</option>
          {operations.value.map((one) => (
            <option key={one.operation} value={one.operation}>
              {one.operation}: {one.title}
            </option>
          ))}
        </select>
        <select aria-label="Apply to" style={{ maxWidth: "10.5rem" }} value={targets.value} onChange={(event) => setTargets(event.currentTarget.value)}>
          <option value="none">this segment</option>
          <option value="search">and its matches</option>
          <option value="basket">and the basket ({basket.value.length})</option>
          {bank.value?.labels.map((one) => (
            <option key={one.label} value={one.label}>
              and all labelled {one.label}
            </option>
          ))}
        </select>
        <span class="gap" />
        <button class="bare" aria-pressed={all.value} disabled={rows.length < 2} onClick={() => (all.value = !all.value)}>
          All at once
        </button>
        <button class="chief" disabled={!wanted || !usable.length} onClick={() => void execute(new ApplyEdit(bodyToApply()!)).then((done) => done && applied())}>
          {wanted ? `Apply to ${count(usable.length, "segment")}` : "Apply"}
        </button>
      </div>
      <Drawing>
        {problem.value ? (
          <div class="state" role="alert">
            <h1>This edit cannot be shown</h1>
            <p>{problem.value}</p>
          </div>
        ) : !wanted ? (
          <>
            <StageView label="The segment as it is" players={asItIs.value ? [asItIs.value] : []} />
            <div class="caption">
              <h1>What shall be changed?</h1>
              <p>Choose an operation above. Its preview follows every parameter; nothing is changed until you apply it.</p>
            </div>
          </>
        ) : !preview.value ? (
          <div class="state">
            <Waiting>Preparing the preview…</Waiting>
          </div>
        ) : all.value ? (
          <AllAtOnce rows={rows} />
        ) : (
          <Example />
        )}
      </Drawing>
      <ClockBar />
    </>
  );
}

/** The edit on the command line and in Python. */
function wording(name: string, wanted: EditBody | null): Wording {
  const operation = wanted?.operation ?? "mirror";
  const given = Object.entries(wanted?.parameters ?? {});
  const to = [...(wanted?.to?.segments ?? []).map(segmentName), ...(wanted?.to?.labels ?? []).map((label) => `label:${label}`)];
  const k = wanted?.to?.search?.["k"];
  const drop = wanted?.drop ?? [];
  const words = [
    ...given.map(([key, value]) => `${key}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`),
    ...to.flatMap((one) => ["--to", one]),
    ...(k === undefined ? [] : ["--search", String(k)]),
    ...drop.flatMap((number) => ["--drop", String(number)]),
    ...(strength.peek() === 1 ? [] : ["--strength", String(strength.peek())]),
  ];
  const keywords = [
    ...(given.length ? [pythonValue(Object.fromEntries(given))] : []),
    ...(to.length ? [`to=${pythonValue(to)}`] : []),
    ...(k === undefined ? [] : [`search=${pythonValue({ k })}`]),
    ...(drop.length ? [`drop=${pythonValue(drop)}`] : []),
    ...(strength.peek() === 1 ? [] : [`strength=${strength.peek()}`]),
  ];
  return {
    command: ["edit", "apply", "BANK", name, operation, ...words],
    python: [`motionary.apply_edit(bank, ${[pythonString(name), pythonString(operation), ...keywords].join(", ")})`],
  };
}

/** The example before and after. */
function Example() {
  const played = preview.value?.played.slice(0, 2) ?? [];
  const apart = 0.5 * (played[0]?.mannequin.size ?? 1.7);
  return (
    <>
      <StageView label="Before and after the edit" players={played.map((one, i) => ({ ...one, aside: i ? apart : -apart }))} />
      <div class="caption">
        <p class="faint">Left before the edit, right after it.</p>
        {preview.value?.facts.changing.length === 0 && <p>So far it changes nothing: move the parameters on the right.</p>}
      </div>
    </>
  );
}

/** Every match after the edit; a click takes it out or in again. */
function AllAtOnce({ rows }: { rows: readonly Row[] }) {
  const grid = useRef<HTMLDivElement>(null);
  const style = useFittedCells(grid, rows.length);
  const { facts, played } = preview.value ?? { facts: { played: [] as number[] }, played: [] as Played[] };
  useSignalEffect(() => {
    void now.value;
    redraw();
  });
  return (
    <div ref={grid} class="grid" role="listbox" aria-label="Edits" aria-multiselectable="true" onScroll={redraw} tabIndex={0} style={style}>
      {rows.map((row) => {
        const at = facts.played.indexOf(row.number);
        const after = at >= 0 ? played[2 * at + 1] : undefined;
        const out = dropped.value.has(keyOf(row));
        return (
          <FigureCell
            key={row.number}
            motion={after?.motion ?? null}
            mannequin={after?.mannequin ?? null}
            attributes={{
              role: "option",
              tabIndex: 0,
              "aria-selected": !out,
              "data-verdict": out ? "rejected" : undefined,
              "data-edit": row.number,
              onClick: () => toggle(row),
              onKeyDown: (event: KeyboardEvent) => event.key === "Enter" && toggle(row),
            }}
          >
            <div class="head">
              <strong class="number">{row.number}</strong>
              {row.mirrored && <span class="faint">⇋</span>}
              <span class="verdict" style={{ color: "var(--reject)" }}>
                {out ? "✕ left out" : ""}
              </span>
            </div>
            <div class="foot" title={[row.problem, ...row.notes].filter(Boolean).join(" ")}>
              <span class="grow clipped">{row.problem || row.clip}</span>
              {typeof row.moved_cm === "number" && <span class="faint number">{row.moved_cm.toFixed(1)} cm</span>}
            </div>
          </FigureCell>
        );
      })}
    </div>
  );
}
