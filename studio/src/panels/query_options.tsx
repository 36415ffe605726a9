/** The options of the search, with results that follow; verdicts, and what can be done with the matches. */
import { signal, useSignal } from "@preact/signals";
import { Fragment } from "preact";

import { KeepSelection } from "../commands/keep_selection";
import { execute } from "../commands/history";
import { addToBasket } from "../state/basket";
import {
  accepted,
  found,
  learnedFrom,
  matchName,
  matchesShown,
  notes,
  problem,
  searching,
  suggestedCut,
  teach,
  tookMs,
  verdicts,
  wantedMatches,
} from "../state/find";
import { type By, OPTIONS, type Option } from "../state/options";
import { route, setQuery } from "../state/route";
import { exportSegments } from "../ui/download";
import { count, sentence } from "../ui/format";

const moreOpen = signal(false);

const PARTS = ["arms", "legs", "trunk", "Head", "left arm", "right arm", "left leg", "right leg", "hands", "feet"];

function numeric(option: Option): object {
  return option.step ? { type: "number", min: 0, step: option.step } : {};
}

let waiting: ReturnType<typeof setTimeout> | undefined;
let typed: Record<string, string> = {};

/** Search when the typing pauses, by all that was typed meanwhile; whoever has left the search is left alone. */
function later(word: string, value: string): void {
  typed[word] = value;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const all = typed;
    typed = {};
    if (route.peek().view === "find") setQuery(all);
  }, 200);
}

function inTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

export default function QueryOptions() {
  const words = route.value.query;
  const by = (words.get("by") ?? "exact") as By;
  const wanted = words.has("query") || words.has("file"); // then there is room for what comes of it
  const joints = (words.get("joints") ?? "").split(",").filter(Boolean);
  return (
    <section class="section" aria-label="Search options">
      <h2>
        Search <span class="faint number">{words.get("query") ?? ""}</span>
      </h2>
      <div class="options small">
        <label for="option-by">Method</label>
        <select id="option-by" value={by} onChange={(event) => setQuery({ by: event.currentTarget.value === "exact" ? null : event.currentTarget.value })}>
          <option value="exact">exact: nearest first</option>
          <option value="wpca">wpca: by pose space</option>
          <option value="web">web: variants, too</option>
        </select>
        <label for="option-k">Matches</label>
        <input id="option-k" type="number" min="1" max="200" value={words.get("k") ?? "24"} onInput={(event) => later("k", event.currentTarget.value)} />
      </div>
      {by !== "web" && <p class="faint small">Compare only these parts, or all:</p>}
      {by !== "web" && (
        <div class="row wrap tight" role="group" aria-label="Body parts">
          {PARTS.map((part) => (
            <button
              key={part}
              class="bare small"
              aria-pressed={joints.includes(part)}
              onClick={() =>
                setQuery({ joints: (joints.includes(part) ? joints.filter((other) => other !== part) : [...joints, part]).join(",") })
              }
            >
              {part}
            </button>
          ))}
        </div>
      )}
      <details open={moreOpen.value} onToggle={(event) => (moreOpen.value = event.currentTarget.open)}>
        <summary class="small">More options</summary>
      <div class="options small">
        {OPTIONS.filter((option) => option.by.includes(by)).map((option) => (
          <Fragment key={option.word}>
            <label for={`option-${option.word}`} title={option.help}>
              {option.title}
            </label>
            {option.kind === "choice" ? (
              <select
                id={`option-${option.word}`}
                title={option.help}
                value={words.get(option.word) ?? option.standard}
                onChange={(event) => setQuery({ [option.word]: event.currentTarget.value === option.standard ? null : event.currentTarget.value })}
              >
                {option.choices!.map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </select>
            ) : (
              <input
                id={`option-${option.word}`}
                title={option.help}
                {...numeric(option)}
                placeholder={option.kind === "weights" ? "hands=3" : option.word === "joints" ? "all" : option.word === "label" ? "any" : option.word === "expand" ? "automatic" : ""}
                value={words.get(option.word) ?? option.standard}
                onInput={(event) => later(option.word, event.currentTarget.value === option.standard ? "" : event.currentTarget.value)}
              />
            )}
          </Fragment>
        ))}
      </div>
      </details>
      {wanted && (
        <p class="faint small number" role="status" data-testid="found">
          {searching.value || (tookMs.value === null && !problem.value)
            ? "Searching…"
            : problem.value ? "No matches" : `${count(found.value.length, "match", "matches")} in ${inTime(matchesShown.value)}${suggestedCut.value ? `; the first ${suggestedCut.value} stand out` : ""}`}
        </p>
      )}
      {wanted && (searching.value || found.value.length > 0) && (
        <div class="notes small column">
          {notes.value.map((note) => (
            <p key={note}>{sentence(note)}</p>
          ))}
        </div>
      )}
      {learnedFrom.value > 0 && (
        <p class="small" data-testid="learned">
          Learned from {count(learnedFrom.value, "verdict")}. These are other matches; those that you judged are not listed again.
        </p>
      )}
      {wanted && <Judged />}
    </section>
  );
}

function Judged() {
  const name = useSignal("");
  const all = [...verdicts.value.values()];
  const judged = found.value.filter((match) => verdicts.value.has(matchName(match))).length;
  const rejected = all.filter((verdict) => verdict === "rejected").length;
  const n = accepted.value.size;
  const wanted = wantedMatches.value;
  const segments = wanted.map((one) => one.segment);
  const what = n ? count(n, "accepted match", "accepted matches") : count(wanted.length, "match", "matches");
  const none = !wanted.length;
  return (
    <div class="column">
      <div class="row">
        <span class="small faint number grow" data-testid="verdicts">
          <span style={{ color: "var(--accept)" }}>✓ {n}</span> <span style={{ color: "var(--reject)" }}>✕ {rejected}</span>
        </span>
        <button disabled={!judged} onClick={() => void teach()} title="Learn weights from the verdicts and search again">
          Learn from them <kbd>L</kbd>
        </button>
      </div>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (!name.value) return;
          void execute(new KeepSelection(name.value, wanted.map(({ segment, result, rank }) => (result && rank ? { segment, result, rank } : { segment })))).then((kept) => {
            if (kept) name.value = "";
          });
        }}
      >
        <input class="grow" placeholder="Name" aria-label="Name of the selection" value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        <button disabled={!name.value || none} type="submit">
          Keep as selection
        </button>
      </form>
      <div class="row wrap">
        <button disabled={none} onClick={() => addToBasket(wanted)}>
          Into the basket
        </button>
        <button disabled={none} onClick={() => void exportSegments(segments, "bvh")}>BVH</button>
        <button disabled={none} onClick={() => void exportSegments(segments, "glb")}>GLB</button>
      </div>
      <p class="faint small">Applies to {what}.</p>
    </div>
  );
}
