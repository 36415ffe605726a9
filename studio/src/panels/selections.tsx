/** Selections: the sets of matches that the bank keeps, and the figures of one of them. */
import { signal, useComputed, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { getJson, inWords } from "../api/client";
import type { Match } from "../api/types";
import { execute } from "../commands/history";
import { RemoveSelection } from "../commands/remove_selection";
import { revision } from "../state/bank";
import { report } from "../state/notices";
import { go, route } from "../state/route";
import { Board, BoardActions } from "../ui/board";
import { offerWording } from "../ui/copy";
import { exportSegments } from "../ui/download";
import { count, measured, pythonString } from "../ui/format";
import { Drawing } from "./drawing";

interface Listed {
  selection: string;
  matches: number;
  method: string;
  kept_at: string;
}

const list = signal<readonly Listed[] | null>(null);
const matches = signal<readonly Match[]>([]);
const problem = signal(""); // why the selection of the address is not shown
let shownName = "";

export default function Selections() {
  useSignalEffect(() => {
    void revision.value;
    getJson<{ selections: Listed[] }>("/selections").then((answer) => (list.value = answer.selections), report);
  });
  const asked = useComputed(() => route.value.name);
  useSignalEffect(() => {
    void revision.value;
    const name = asked.value;
    problem.value = "";
    if (name !== shownName) matches.value = [];
    shownName = name;
    if (!name) return;
    getJson<{ matches: Match[] }>(`/selections/${encodeURIComponent(name)}`).then(
      (answer) => name === shownName && (matches.value = answer.matches),
      (error: unknown) => name === shownName && (problem.value = inWords(error)),
    );
  });
  useEffect(
    () =>
      offerWording(() => {
        const { name } = route.peek();
        return name
          ? { command: ["selection", "show", "BANK", name], python: [`print(bank.selection(${pythonString(name)}))`] }
          : { command: ["selection", "ls", "BANK"], python: ["print(bank.selections())"] };
      }),
    [],
  );
  const { name } = route.value;
  const segments = matches.value.map((match) => ({ clip_id: match.clip_id, start: match.start, stop: match.stop, mirrored: match.mirrored }));
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Selections">
        <select aria-label="Selection" value={name} onChange={(event) => go(`/selection/${encodeURIComponent(event.currentTarget.value)}`)}>
          <option value="">Selections…</option>
          {list.value?.map((one) => (
            <option key={one.selection} value={one.selection}>
              @{one.selection} ({one.matches})
            </option>
          ))}
        </select>
        <span class="gap" />
        {name && (
          <>
            <BoardActions disabled={!segments.length} />
            <button onClick={() => void exportSegments(segments, "bvh")}>BVH</button>
            <button onClick={() => void exportSegments(segments, "glb")}>GLB</button>
            <button onClick={() => void execute(new RemoveSelection(name)).then((done) => done && go("/selection"))}>Remove</button>
          </>
        )}
      </div>
      <Drawing>
        {problem.value ? (
          <div class="state" role="alert">
            <h1>This selection cannot be shown</h1>
            <p>{problem.value}</p>
          </div>
        ) : name ? (
          <Board
            key={name}
            label={`Selection ${name}`}
            groups={[
              {
                key: name,
                items: matches.value.map((match, i) => ({
                  segment: segments[i]!,
                  head: (
                    <>
                      <strong class="number">{match.rank}</strong>
                      {match.mirrored && <span class="faint">⇋</span>}
                    </>
                  ),
                  foot: measured(match.mean, match.unit),
                  title: match.clip,
                })),
              },
            ]}
          />
        ) : (
          <div class="state">
            {list.value?.length ? (
              <>
                <h1>{count(list.value.length, "selection")}</h1>
                <div class="items">
                  {list.value.map((one) => (
                    <button key={one.selection} onClick={() => go(`/selection/${encodeURIComponent(one.selection)}`)}>
                      @{one.selection} <span class="faint">{count(one.matches, "match", "matches")}</span>
                    </button>
                  ))}
                </div>
              </>
            ) : (
              <>
                <h1>No selections yet</h1>
                <p>Search, accept what fits with A, and keep it under a name: searches, edits, blends and exports take it from there.</p>
              </>
            )}
          </div>
        )}
      </Drawing>
    </>
  );
}
