/** A transition from one moment to another: the way, its score over time, other ways; and pairs to judge. */
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { inWords } from "../api/client";
import { KeepMade } from "../commands/keep_made";
import { heatColour } from "../draw/palette";
import { now, playing } from "../state/clock";
import { type Played, made } from "../state/made";
import { fromMoment, momentOf, toMoment } from "../state/moments";
import { route, setQuery } from "../state/route";
import { ClockBar } from "../ui/clock_bar";
import { offerWording } from "../ui/copy";
import { pythonString } from "../ui/format";
import { KeepForm } from "../ui/keep_form";
import { Lane } from "../ui/lane";
import { StageView } from "../ui/stage_view";
import { Waiting } from "../ui/waiting";
import { Drawing } from "./drawing";

interface Made {
  score_cm: number | null;
  threshold_cm: number | null;
  good: boolean | null;
  start: number;
  stop: number;
  frames: number;
  rate_hz: number;
  lane: (number | null)[]; // null where there is no error to tell
  remarks: string[];
  notes: string[];
}

const shown = signal<{ facts: Made; played: Played[] } | null>(null);
const problem = signal("");
const making = signal(false);
let underWay: AbortController | null = null;

function body(): object | null {
  const words = route.value.query;
  const [source, target, label] = [momentOf(words.get("from")), momentOf(words.get("to")), words.get("label")];
  if (!source || (!target && !label)) return null;
  return {
    source,
    ...(label ? { label } : { target }),
    secs: Number(words.get("secs") ?? "1"),
    method: words.get("method") ?? "direct",
    seed: Number(words.get("seed") ?? "0"),
  };
}

/** What is wrong with the moments of the address. */
function oddMoment(): string {
  const words = route.value.query;
  const odd = ["from", "to"].map((word) => words.get(word)).find((name) => name && !momentOf(name));
  return odd ? `${odd} is not a moment: write #12:134 for frame 134 of clip 12.` : "";
}

export default function Transition() {
  useSignalEffect(() => {
    const wanted = body();
    underWay?.abort();
    if (!wanted) {
      shown.value = null;
      making.value = false;
      problem.value = oddMoment();
      return;
    }
    const mine = (underWay = new AbortController());
    making.value = true;
    made<Made>("/transitions", wanted, mine.signal).then(
      (answer) => {
        shown.value = answer;
        problem.value = "";
        making.value = false;
        now.value = 0;
        playing.value = true;
      },
      (error: unknown) => {
        if (mine.signal.aborted) return;
        making.value = false;
        shown.value = null;
        problem.value = inWords(error);
      },
    );
  });
  useEffect(() => {
    // Moments that were picked beside clips are not asked for again
    const words = route.peek().query;
    if (!words.has("from") && !words.has("to") && !words.has("label")) setQuery({ from: fromMoment.peek(), to: toMoment.peek() });
  }, []);
  useEffect(
    () =>
      offerWording(() => {
        const words = route.peek().query;
        const [from, label] = [words.get("from") ?? "#1:0", words.get("label")];
        const to = words.get("to") ?? "#2:0";
        const [secs, method, seed] = [words.get("secs") ?? "1", words.get("method") ?? "direct", words.get("seed")];
        const [goal, keyword] = label ? [["--label", label], `label=${pythonString(label)}`] : [[to], pythonString(to)];
        return {
          command: ["transition", "make", "BANK", from, ...goal, "--secs", secs, "--method", method, ...(seed ? ["--seed", seed] : [])],
          python: [`motionary.make_transition(bank, ${pythonString(from)}, ${keyword}, secs=${secs}, method=${pythonString(method)}${seed ? `, seed=${seed}` : ""})`],
        };
      }),
    [],
  );
  const words = route.value.query;
  const wanted = body();
  const told = shown.value?.facts;
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Transition">
        <strong>Transition</strong>
        <span class="faint small number clipped">{wanted ? inShort(words) : ""}</span>
        <span class="gap" />
        <button disabled={!wanted} title="Another way between the same moments" onClick={() => setQuery({ seed: String(Number(words.get("seed") ?? "0") + 1) })}>
          Another
        </button>
        <KeepForm disabled={!told} command={(name) => new KeepMade("/transitions", body()!, name)} />
      </div>
      <Drawing>
        <StageView label="The transition" players={shown.value?.played ?? []} />
        {told && (
          <div class="caption" role="status" data-testid="transition">
            <h1>
              {told.score_cm === null ? "Not scored" : `${told.score_cm.toFixed(1)} cm`}{" "}
              {told.good !== null && <span style={{ color: told.good ? "var(--accept)" : "var(--reject)" }}>{told.good ? "natural" : "not natural"}</span>}
            </h1>
            <p class="faint small">
              {told.threshold_cm !== null ? `error of balance; natural up to ${told.threshold_cm.toFixed(1)} cm` : ""}
            </p>
            {[...(told.remarks ?? []), ...(told.notes ?? [])].map((remark) => (
              <p key={remark} class="small">
                {remark}
              </p>
            ))}
          </div>
        )}
        {!told && (
          <div class="state">
            {making.value ? (
              <Waiting>Blending…</Waiting>
            ) : problem.value ? (
              <>
                <h1>There is no such transition</h1>
                <p>{problem.value}</p>
              </>
            ) : (
              <>
                <h1>From one moment to another</h1>
                <p>Open a clip and choose “From here” beside it, open another and choose “To here”. Or write both on the right: #12:134 is frame 134 of clip 12.</p>
              </>
            )}
          </div>
        )}
      </Drawing>
      {told && <Lane label="Score over time" caption="score" pieces={lanePieces(told)} />}
      <ClockBar />
    </>
  );
}

function inShort(words: URLSearchParams): string {
  const to = words.get("label") ? `motion labelled ${words.get("label")}` : words.get("to");
  return `${words.get("from")} to ${to} in ${words.get("secs") ?? "1"} s`;
}

function lanePieces(told: Made): { from: number; to: number; colour: string; title: string }[] {
  const most = Math.max(told.threshold_cm ?? 0, ...told.lane.map((value) => Math.abs(value ?? 0)), 1e-6);
  const n = Math.max(1, told.frames);
  return told.lane.map((value, i) => ({
    from: (told.start + i) / n,
    to: (told.start + i + 1) / n,
    colour: heatColour(Math.min(1, (value ?? 0) / most)),
    title: `frame ${told.start + i}: ${value === null ? "not scored" : `${value.toFixed(1)} cm`}`,
  }));
}
