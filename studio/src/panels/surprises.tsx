/** What is unusual in the bank, as a board: beside each surprise what is nearest to it. */
import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { Match } from "../api/types";
import { startJob } from "../state/jobs";
import { Board } from "../ui/board";
import { offerWording } from "../ui/copy";
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

export default function Surprises() {
  const looking = useSignal(false);
  async function look(): Promise<void> {
    looking.value = true;
    const found = await startJob<{ surprises: Surprise[] }>("surprises", { k: 12 });
    looking.value = false;
    if (found) surprises.value = found.surprises;
  }
  useEffect(
    () => offerWording(() => ({ command: ["surprises", "BANK", "-k", "12"], python: ["motionary.find_surprises(bank, k=12)"] })),
    [],
  );
  const found = surprises.value;
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Surprises">
        <button class="chief" disabled={looking.value} onClick={() => void look()}>
          {looking.value ? "Looking…" : "Find surprises"}
        </button>
        <span class="gap" />
        <span class="faint small" role="status">
          {found ? count(found.length, "surprise") : ""}
        </span>
      </div>
      <Drawing>
        {!found?.length && (
          <div class="state">
            <h1>{found ? "Nothing is unusual here" : "What is unusual in this bank?"}</h1>
            <p>Surprises are the segments that are least like any other clip: rare motions, and faults of the capture.</p>
          </div>
        )}
        {found && (
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
