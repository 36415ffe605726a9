/** Foot clean-up of a segment: before and after beside each other, then for good. */
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { CleanFeet } from "../commands/clean_feet";
import { execute } from "../commands/history";
import { playing, now } from "../state/clock";
import { type Played, made } from "../state/made";
import { report } from "../state/notices";
import { go, route } from "../state/route";
import { ClockBar } from "../ui/clock_bar";
import { offerWording } from "../ui/copy";
import { pythonString, segmentOf } from "../ui/format";
import { StageView } from "../ui/stage_view";
import { Drawing } from "./drawing";

interface Cleaned {
  plants: number;
  held: number;
  worst_before_cm: number;
  worst_after_cm: number;
  mean_change_cm: number;
  not_held: { foot: string; part: string; start: number; stop: number; why: string }[];
}

const played = signal<readonly Played[]>([]);
const facts = signal<Cleaned | null>(null);

export default function Clean() {
  const name = route.value.query.get("segment") ?? "";
  const wanted = segmentOf(name);
  useSignalEffect(() => {
    const segment = segmentOf(route.value.query.get("segment") ?? "");
    if (!segment) return;
    facts.value = null;
    played.value = [];
    made<{ segments: Cleaned[] }>("/clean", { segments: [segment], preview: true }).then((answer) => {
      facts.value = answer.facts.segments[0] ?? null;
      played.value = answer.played;
      now.value = 0;
      playing.value = true;
    }, report);
  });
  useEffect(
    () =>
      offerWording(() => ({
        command: ["clean", "BANK", name],
        python: [`motionary.clean_segments(bank, [bank.segment(${pythonString(name)})])`],
      })),
    [name],
  );
  const told = facts.value;
  const apart = 0.55 * (played.value[0]?.mannequin.size ?? 1.7);
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Clean feet">
        <button class="bare" onClick={() => wanted && go(`/clip/${wanted.clip_id}?segment=${wanted.start}-${wanted.stop}`)}>
          ← Clip
        </button>
        <strong>Clean feet</strong>
        <span class="faint small clipped number" role="status" data-testid="cleaned">
          {told
            ? `${told.held} of ${told.plants} plants held; slide ${told.worst_before_cm.toFixed(1)} → ${told.worst_after_cm.toFixed(1)} cm`
            : wanted ? "Cleaning…" : "No segment"}
        </span>
        <span class="gap" />
        <button class="chief" disabled={!told || !wanted} onClick={() => void execute(new CleanFeet([wanted!])).then((done) => done && go(`/clip/${wanted!.clip_id}?segment=${wanted!.start}-${wanted!.stop}`))}>
          Apply
        </button>
      </div>
      <Drawing>
        <StageView
          label="Before and after the clean-up"
          players={played.value.slice(0, 2).map((one, i) => ({ ...one, aside: i ? apart : -apart }))}
        />
        <div class="caption">
          <p class="faint">Left before the clean-up, right after it.</p>
          {told?.not_held.map((plant) => (
            <p key={`${plant.foot} ${plant.part} ${plant.start}`} class="small">
              {plant.foot} {plant.part}, frames {plant.start} to {plant.stop}: {plant.why}
            </p>
          ))}
        </div>
      </Drawing>
      <ClockBar />
    </>
  );
}
