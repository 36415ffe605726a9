/** Which of two transitions is natural? By key, pair after pair; the verdicts set the threshold. */
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { inWords, postJson } from "../api/client";
import type { VerdictAnswer } from "../api/schema";
import { record } from "../commands/history";
import { redraw } from "../draw/loop";
import { register } from "../keys";
import { revision } from "../state/bank";
import { now, playing, range } from "../state/clock";
import { report } from "../state/notices";
import { startJob, underWay } from "../state/jobs";
import { type Played, made } from "../state/made";
import { offerWording } from "../ui/copy";
import { ClockBar } from "../ui/clock_bar";
import { count } from "../ui/format";
import { FigureCell } from "../ui/figure_cell";
import { JobProgress } from "../ui/job_progress";
import { Waiting } from "../ui/waiting";
import { Drawing } from "./drawing";
import { togglePlaying } from "./play_keys";

const pair = signal<{ name: string; played: Played[] } | null>(null);
const told = signal<VerdictAnswer | null>(null);
const problem = signal("");
const needsTable = signal(false);

async function next(): Promise<void> {
  try {
    const answer = await made<{ pair: string }>("/transitions/pair", { secs: 1 });
    pair.value = { name: answer.facts.pair, played: answer.played };
    problem.value = "";
    range.value = [0, Math.max(...answer.played.map(({ motion }) => (motion.frames - 1) / motion.hz))];
    now.value = 0;
    playing.value = true;
  } catch (error) {
    problem.value = inWords(error);
    needsTable.value = /no table of transitions/.test(problem.value);
  }
}

async function say(answer: "a" | "b" | "=" | "-"): Promise<void> {
  const shown = pair.peek();
  if (!shown) return;
  pair.value = null;
  try {
    told.value = await postJson<VerdictAnswer>("/transitions/verdict", { pair: shown.name, answer });
    record(`Verdict ${answer}`, told.value.change);
  } catch (error) {
    report(error);
    pair.value = shown; // it is still to be judged
    return;
  }
  await next();
}

const ANSWERS = [
  ["a", "A is natural", "A"],
  ["b", "B is natural", "B"],
  ["=", "Both are", "="],
  ["-", "Neither is", "-"],
] as const;

export default function Judge() {
  useEffect(() => {
    range.value = [0, 0];
    problem.value = "";
    void next();
    const back = [
      register(
        ...ANSWERS.map(([answer, title, key]) => ({ id: `judge-${answer}`, title, group: "Matches", keys: [key], run: () => void say(answer) })),
        { id: "play", title: "Play or stop", group: "Play", keys: ["Space"], run: togglePlaying },
      ),
      offerWording(() => ({ command: ["transition", "judge", "BANK"], python: ["import numpy as np", "", "transitions = motionary.open_transitions(bank)", "pair = [transitions.random_pair(np.random.default_rng())]", "transitions.judge(\"=\", pair)"] })),
    ];
    return () => {
      playing.value = false;
      back.forEach((undo) => undo());
    };
  }, []);
  useSignalEffect(() => {
    void [now.value, pair.value];
    redraw();
  });
  // When the table is built, the bank says that it has changed
  useSignalEffect(() => {
    if (revision.value && problem.peek()) void next();
  });
  const shown = pair.value;
  const tableJob = underWay("table");
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Judge">
        <strong>Which is natural?</strong>
        {ANSWERS.map(([answer, title, key]) => (
          <button key={answer} disabled={!shown} onClick={() => void say(answer)}>
            {title} <kbd>{key}</kbd>
          </button>
        ))}
        <span class="gap" />
        <span class="faint small number" role="status">
          {told.value ? `${count(told.value.judged, "pair")} judged; ${told.value.judged_threshold_cm === null ? "a few more set the threshold" : `natural up to ${told.value.judged_threshold_cm.toFixed(1)} cm`}` : ""}
        </span>
      </div>
      <Drawing>
        {!shown && !problem.value && (
          <div class="state">
            <Waiting>Making two transitions…</Waiting>
          </div>
        )}
        {problem.value && (
          <div class="state" role="alert">
            <h1>There is nothing to judge yet</h1>
            {needsTable.value ? (
              <p>
                Pairs of transitions come from a table of what leads well from one kind of pose to another. Building it takes
                some minutes; you can go on working meanwhile.
              </p>
            ) : (
              <p>{problem.value}</p>
            )}
            {needsTable.value &&
              (tableJob ? (
                <JobProgress job={tableJob} />
              ) : (
                <button class="chief" onClick={() => void startJob("table", { secs: 1 })}>
                  Build the table of transitions
                </button>
              ))}
          </div>
        )}
        {shown && <div class="grid" style={{ gridTemplateColumns: "1fr 1fr", gridAutoRows: "100%" }}>
          {shown.played.map((one, i) => (
            <FigureCell
              key={`${shown.name} ${i}`}
              motion={one.motion}
              mannequin={one.mannequin}
              frameAt={(moment) => Math.min(moment * one.motion.hz, one.motion.frames - 1)}
              attributes={{ role: "img", "aria-label": i ? "B" : "A" }}
            >
              <div class="head">
                <h1>{i ? "B" : "A"}</h1>
              </div>
            </FigureCell>
          ))}
        </div>}
      </Drawing>
      <ClockBar />
    </>
  );
}
