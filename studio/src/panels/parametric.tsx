/** Parametric motions: make one, drag its target in space with the blend following, keep the result. */
import { computed, signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { getJson, inWords, postJson } from "../api/client";
import type { ParametricAnswer, RegistrationAnswer } from "../api/schema";
import type { Command } from "../commands/command";
import { palette } from "../draw/palette";
import type { Line } from "../draw/scene";
import { basket } from "../state/basket";
import { bank, revision } from "../state/bank";
import { now, playing } from "../state/clock";
import { startJob } from "../state/jobs";
import { report } from "../state/notices";
import { type Listed, type Parameter, answer, answerMs, change, isPlace, known, open, values } from "../state/parametric";
import { go, route } from "../state/route";
import { ClockBar } from "../ui/clock_bar";
import { offerWording } from "../ui/copy";
import { pythonString } from "../ui/format";
import { KeepForm } from "../ui/keep_form";
import { type Handle, StageView } from "../ui/stage_view";
import { Waiting } from "../ui/waiting";
import { Drawing } from "./drawing";

class KeepAsked implements Command {
  readonly title: string;

  constructor(
    readonly parametric: string,
    readonly asked: readonly number[],
    readonly keep: string,
  ) {
    this.title = `Keep ${keep}`;
  }

  async execute(): Promise<number | null> {
    const body = { values: this.asked, keep: this.keep };
    return (await postJson<{ change: number | null }>(`/parametric/${encodeURIComponent(this.parametric)}/ask`, body)).change;
  }

  toJSON(): object {
    return { command: "keep-asked", parametric: this.parametric, values: this.asked, keep: this.keep };
  }
}

const problem = signal(""); // why the one of the address is not shown

export default function Parametric() {
  useSignalEffect(() => {
    void revision.value;
    getJson<{ parametrics: Listed[] }>("/parametric").then((list) => (known.value = list.parametrics), report);
  });
  useSignalEffect(() => {
    const { name } = route.value;
    answer.value = null;
    open.value = null;
    problem.value = "";
    if (!name) return;
    getJson<ParametricAnswer>(`/parametric/${encodeURIComponent(name)}`).then((found) => {
      open.value = found;
      const first = (found.examples[0] as { values: number[] } | undefined)?.values;
      now.value = 0;
      playing.value = true;
      change(first ?? (found.parameters as unknown as Parameter[]).map((one) => (one.least + one.greatest) / 2), false);
    }, (error: unknown) => (problem.value = inWords(error)));
  });
  useEffect(
    () =>
      offerWording(() => {
        const name = open.peek()?.parametric;
        if (!name) return { command: ["parametric", "ls", "BANK"], python: ["print(bank.parametrics())"] };
        return {
          command: ["parametric", "ask", "BANK", name, "--", ...values.peek().map((value) => value.toFixed(3))],
          python: [`motionary.ask_parametric(bank, ${pythonString(name)}, [${values.peek().map((value) => value.toFixed(3)).join(", ")}])`],
        };
      }),
    [],
  );
  const sorted = [...answerMs.value].sort((a, b) => a - b);
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Parametric motion">
        <select aria-label="Parametric motion" value={route.value.name} onChange={(event) => go(`/parametric/${encodeURIComponent(event.currentTarget.value)}`)}>
          <option value="">Parametric motions…</option>
          {known.value.map((one) => (
            <option key={one.parametric}>{one.parametric}</option>
          ))}
        </select>
        <span class="faint small clipped number" role="status" data-testid="asked">
          {sorted.length > 1 ? `answers in ${Math.round(sorted[sorted.length >> 1]!)} ms` : ""}
        </span>
        <span class="gap" />
        {open.value && <KeepForm disabled={!answer.value} command={(name) => new KeepAsked(open.value!.parametric, values.value, name)} />}
      </div>
      <Drawing>
        <StageView label="The blend" players={answer.value?.played ?? []} handles={handles()} lines={cloud.value} />
        {!route.value.name && <Make />}
        {problem.value && (
          <div class="state" role="alert">
            <h1>This parametric motion cannot be shown</h1>
            <p>{problem.value}</p>
          </div>
        )}
        {open.value && !answer.value && (
          <div class="state">
            <Waiting>Blending…</Waiting>
          </div>
        )}
        {answer.value && isPlace() && (
          <div class="caption">
            <p class="faint">Drag the target, or move the sliders on the right. The cloud is what can be reached.</p>
          </div>
        )}
      </Drawing>
      <ClockBar />
    </>
  );
}

/** Places are measured from where the motion starts: left, up, ahead. */
function toWorld([left, up, ahead]: readonly number[]): [number, number, number] {
  return [left!, up!, ahead!];
}

function handles(): Handle[] {
  if (!open.value || !isPlace() || values.value.length !== 3) return [];
  const got = Object.values(answer.value?.facts.got ?? {});
  const dragged: Handle = { at: toWorld(values.value), drag: (place, done) => change(place, !done) };
  // Where the hand arrives, inside of where it was asked to
  return got.length === 3 ? [dragged, { at: toWorld(got), colour: palette.value.accept, size: 8, drag: () => {} }] : [dragged];
}

/** The region that can be reached, as a cloud of points; the examples larger. */
const cloud = computed((): Line[] => {
  if (!open.value || !isPlace()) return [];
  const colours = palette.value;
  const dots = open.value.region.map((point): Line => ({ points: twice(toWorld(point)), colour: colours.faint, width: 3, alpha: 0.35 }));
  for (const example of open.value.examples as { values: number[] }[]) {
    dots.push({ points: twice(toWorld(example.values)), colour: colours.path, width: 8, alpha: 0.9 });
  }
  return dots;
});

function twice(place: readonly number[]): Float32Array {
  return new Float32Array([...place, ...place]);
}

/** A new parametric motion, from what is in the basket or carries a label. */
function Make() {
  const name = useSignal("");
  const label = useSignal("");
  const measure = useSignal("RightHand@apex");
  const making = useSignal(false);
  const checking = useSignal(false);
  const fit = useSignal<RegistrationAnswer | null>(null);
  const n = basket.value.length;
  const sources = (): object => {
    const segments = basket.value.map(({ segment }) => ({ clip_id: segment.clip_id, start: segment.start, stop: segment.stop }));
    return label.value ? { labels: [label.value] } : { segments };
  };
  async function check(): Promise<void> {
    checking.value = true;
    fit.value = null;
    try {
      fit.value = await postJson<RegistrationAnswer>("/blend/register", sources());
    } catch (error) {
      report(error);
    }
    checking.value = false;
  }
  async function make(): Promise<void> {
    making.value = true;
    const args = { name: name.value, measures: measure.value.split(",").map((one) => one.trim()), ...sources() };
    const kept = await startJob<{ parametric: string }>("parametric", args);
    making.value = false;
    if (kept) go(`/parametric/${encodeURIComponent(kept.parametric)}`);
  }
  return (
    <div class="state">
      <h1>Blend and steer</h1>
      <p>
        A parametric motion blends several motions of one kind, and is steered by what it measures: where a hand reaches,
        how far a step leads, how fast a walk is.
      </p>
      <form
        class="options"
        style={{ textAlign: "left" }}
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <label for="make-name">Name</label>
        <input id="make-name" value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        <label for="make-from">Examples</label>
        <select id="make-from" value={label.value} onChange={(event) => (label.value = event.currentTarget.value)}>
          <option value="">the basket ({n})</option>
          {bank.value?.labels.map((one) => (
            <option key={one.label} value={one.label}>
              labelled {one.label} ({Math.max(one.segments, one.clips)})
            </option>
          ))}
        </select>
        <label for="make-measure" title="What steers it: a joint at a moment, the end, the speed; several with commas between">
          Measures
        </label>
        <input id="make-measure" value={measure.value} onInput={(event) => (measure.value = event.currentTarget.value)} placeholder="RightHand@apex, end, speed" />
        <button type="button" disabled={checking.value || (!label.value && n < 2)} onClick={() => void check()} title="Which of them can be aligned with each other">
          {checking.value ? "Aligning…" : "What fits?"}
        </button>
        <button class="chief" disabled={!name.value || making.value || (!label.value && n < 2)} type="submit" title={name.value ? "" : "Give it a name first"}>
          {making.value ? "Aligning and blending…" : "Make"}
        </button>
      </form>
      {fit.value && (
        <div class="small column" role="status" data-testid="fit">
          <p>{fit.value.sources.length} motions fit together.</p>
          {(fit.value.left_out as { name: string; why: string }[]).map((one) => (
            <p key={one.name}>
              {one.name} is left out: {one.why}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}
