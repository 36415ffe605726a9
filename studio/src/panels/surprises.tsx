/** What is unusual in the bank, as a board: beside each surprise what is nearest to it. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { Match } from "../api/types";
import { beginJob, followResult, underWay } from "../state/jobs";
import { Board, BoardActions } from "../ui/board";
import { offerWording } from "../ui/copy";
import { JobProgress } from "../ui/job_progress";
import { count, measured } from "../ui/format";
import { Drawing } from "./drawing";

interface Surprise {
  clip: string;
  clip_id: number;
  start: number;
  stop: number;
  mean: number;
  unit: string;
  odd: string;
  nearest: Match | null;
}

const surprises = signal<readonly Surprise[] | null>(null);
followResult<{ surprises: Surprise[] }>("surprises", (found) => (surprises.value = found.surprises));

export default function Surprises() {
  const job = underWay("surprises");
  useEffect(
    () => offerWording(() => ({ command: ["surprises", "BANK", "-k", "12"], python: ["motionary.find_surprises(bank, k=12)"] })),
    [],
  );
  const found = surprises.value;
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Surprises">
        <button class="chief" disabled={Boolean(job)} onClick={() => void beginJob("surprises", { k: 12 })}>
          {job ? "Looking…" : "Find surprises"}
        </button>
        <span class="gap" />
        <span class="faint small" role="status">
          {found ? count(found.length, "surprise") : ""}
        </span>
        <BoardActions disabled={Boolean(job) || !found?.length} />
      </div>
      <Drawing>
        {(job || !found?.length) && (
          <div class="state">
            <h1>{job ? "Looking for what is unusual" : found ? "Nothing is unusual here" : "What is unusual in this bank?"}</h1>
            <p>
              Surprises are the segments that are least like any other clip: rare motions, and faults of the capture. In hours
              of motion this takes about a minute.
            </p>
            {job && <JobProgress job={job} />}
          </div>
        )}
        {found && !job && (
          <Board
            label="Surprises"
            groups={[
              {
                key: "surprises",
                items: found.map((one, i) => ({
                  segment: { clip_id: one.clip_id, start: one.start, stop: one.stop },
                  head: (
                    <>
                      <strong class="number">{i + 1}</strong>
                      {one.odd && <span style={{ color: "var(--reject)" }}>{one.odd}</span>}
                    </>
                  ),
                  foot: measured(one.mean, one.unit),
                  title: `${one.clip}${one.nearest ? `; nearest: ${one.nearest.clip}` : ""}`,
                })),
              },
            ]}
          />
        )}
      </Drawing>
    </>
  );
}
