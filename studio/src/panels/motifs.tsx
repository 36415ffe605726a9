/** What recurs in the bank, as a board: one row of figures for each motif. */
import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { Match } from "../api/types";
import { beginJob, followResult, underWay } from "../state/jobs";
import { offerWording } from "../ui/copy";
import { Board, BoardActions } from "../ui/board";
import { JobProgress } from "../ui/job_progress";
import { count, measured } from "../ui/format";
import { Drawing } from "./drawing";

interface Motif {
  size: number;
  clips: number;
  within: number;
  unit: string;
  labels: Record<string, number>;
  matches: Match[];
}

const SHOWN = 5; // figures of each motif

const motifs = signal<readonly Motif[] | null>(null);
followResult<{ motifs: Motif[] }>("motifs", (found) => (motifs.value = found.motifs));

export default function Motifs() {
  const length = useSignal(2);
  const job = underWay("motifs");
  useEffect(
    () =>
      offerWording(() => ({
        command: ["motifs", "BANK", "-k", "10", "--length", String(length.peek())],
        python: [`motionary.find_motifs(bank, k=10, length=${length.peek()})`],
      })),
    [],
  );
  const found = motifs.value;
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Motifs">
        <label class="row small">
          Length
          <input type="number" min="0.3" max="20" step="0.1" value={length.value} onInput={(event) => (length.value = Number(event.currentTarget.value))} style={{ width: "4.5rem" }} />s
        </label>
        <button class="chief" disabled={Boolean(job)} onClick={() => void beginJob("motifs", { k: 10, length: length.value })}>
          {job ? "Looking…" : "Find motifs"}
        </button>
        <span class="gap" />
        <span class="faint small" role="status">
          {found ? count(found.length, "motif") : ""}
        </span>
        <BoardActions disabled={Boolean(job) || !found?.length} />
      </div>
      <Drawing>
        {(job || !found?.length) && (
          <div class="state">
            <h1>{job ? "Looking for what recurs" : found ? "Nothing recurs here" : "What recurs in this bank?"}</h1>
            <p>
              Motifs are groups of segments that are alike, found without a query. Choose how long they should be. In hours of
              motion this takes about a minute.
            </p>
            {job && <JobProgress job={job} />}
          </div>
        )}
        {found && !job && (
          <Board
            label="Motifs"
            groups={found.map((motif, rank) => ({
              key: String(rank),
              heading: (
                <>
                  Motif {rank + 1}: {count(motif.size, "segment")} of {count(motif.clips, "clip")}{" "}
                  <span class="faint">
                    {[...Object.keys(motif.labels).slice(0, 3), `within ${measured(motif.within, motif.unit)}`].join(" · ")}
                    {motif.matches.length > SHOWN ? `, the first ${SHOWN} shown` : ""}
                  </span>
                </>
              ),
              items: motif.matches.slice(0, SHOWN).map((match, i) => ({
                segment: { clip_id: match.clip_id, start: match.start, stop: match.stop, mirrored: match.mirrored },
                head: <strong class="number">{i + 1}</strong>,
                foot: i ? measured(match.mean, match.unit) : "",
                title: match.clip,
              })),
            }))}
          />
        )}
      </Drawing>
    </>
  );
}
