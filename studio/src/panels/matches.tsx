/** The matches of a search: a grid of figures that play in step with the query, or one of them beside it. */
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";

import { type Motion, placesAt } from "../api/motion";
import { FROM_ABOVE, OrbitCamera } from "../draw/camera";
import { redraw } from "../draw/loop";
import { type Mannequin, facing } from "../draw/mannequin";
import { palette } from "../draw/palette";
import type { Figure, Line, Scene } from "../draw/scene";
import { register } from "../keys";
import { basket, keyOf, toggleInBasket } from "../state/basket";
import { now, playing, range } from "../state/clock";
import {
  type Found,
  choose,
  chosen,
  chosenMatch,
  found,
  frameInStep,
  judge,
  keptMatch,
  litJoint,
  matchName,
  matchSegment,
  needs,
  notes,
  opened,
  problem,
  query,
  result,
  searching,
  teach,
  verdicts,
} from "../state/find";
import { knownMannequin } from "../state/mannequins";
import { startJob, underWay } from "../state/jobs";
import { type By, commandWords, pythonWords } from "../state/options";
import { go, route, setQuery } from "../state/route";
import { offerWording } from "../ui/copy";
import { useCell, useOrbit } from "../ui/cell";
import { FigureCell, SIDE_VIEW } from "../ui/figure_cell";
import { FigureSize } from "../ui/figure_size";
import { useFittedCells } from "../ui/fitted_cells";
import { IndexBuilding } from "../ui/index_building";
import { JobProgress } from "../ui/job_progress";
import { duration, measured, pythonString, segmentName, sentence } from "../ui/format";
import { Waiting } from "../ui/waiting";
import { Drawing } from "./drawing";
import { registerPlayKeys } from "./play_keys";

export const matchTrails = signal(false);
export const matchGhosts = signal(false);

const BESIDE_VIEW = SIDE_VIEW + 0.5;

export default function Matches() {
  useSignalEffect(() => {
    void [found.value, query.value, chosen.value, matchTrails.value, matchGhosts.value, opened.value, litJoint.value, now.value];
    redraw();
  });
  useEffect(() => {
    range.value = [0, queryLength()]; // another view may have had its own
    const back = [
      registerPlayKeys(
        () => 1 / 30,
        () => [0, queryLength()],
      ),
      register(
        { id: "accept", title: "Accept, then the next", group: "Matches", keys: ["A"], run: () => judge("accepted") },
        { id: "reject", title: "Reject, then the next", group: "Matches", keys: ["X"], run: () => judge("rejected") },
        { id: "clear", title: "Clear the verdict, then the next", group: "Matches", keys: ["U"], run: () => judge(null) },
        { id: "match-next", title: "Next match", group: "Matches", keys: ["]", "ArrowDown"], run: () => choose(chosen.peek() + 1) },
        { id: "match-previous", title: "Previous match", group: "Matches", keys: ["[", "ArrowUp"], run: () => choose(chosen.peek() - 1) },
        { id: "match-open", title: "Open beside the query, or back to the grid", group: "Matches", keys: ["Enter"], run: () => (opened.value = !opened.peek()) },
        { id: "match-close", title: "Back to the grid", group: "Matches", keys: ["Escape"], run: () => (opened.value = false) },
        { id: "match-clip", title: "Open the match's clip", group: "Matches", keys: ["Shift+Enter"], run: openClip },
        { id: "basket", title: "Into or out of the basket", group: "Matches", keys: ["B"], run: toggleChosen },
        { id: "teach", title: "Learn from the verdicts", group: "Search", keys: ["L"], run: () => void teach() },
        { id: "find", title: "Find motions like the match", group: "Search", keys: ["F"], run: findLikeMatch },
        { id: "mirror", title: "Mirror images: both, no, only", group: "Search", keys: ["M"], run: nextMirror },
        { id: "trails", title: "Trails", group: "Stage", keys: ["T"], run: () => (matchTrails.value = !matchTrails.value) },
        { id: "ghosts", title: "The query as a ghost", group: "Stage", keys: ["G"], run: () => (matchGhosts.value = !matchGhosts.value) },
      ),
      offerWording(() => {
        const words = route.peek().query;
        const by = (words.get("by") ?? "exact") as By;
        const name = words.get("query") ?? "#1:0-60";
        const k = words.get("k") ?? "24";
        return {
          command: ["search", "BANK", name, "-k", k, ...commandWords(words, by)],
          python: [
            `result = motionary.search_bank(bank, ${[pythonString(name), `k=${k}`, ...pythonWords(words, by)].join(", ")})`,
            "for match in result.matches:",
            "    print(match.clip, match.segment.start, match.segment.stop, match.mean)",
          ],
        };
      }),
    ];
    return () => {
      playing.value = false;
      back.forEach((undo) => undo());
    };
  }, []);
  useSignalEffect(() => {
    const index = chosen.value;
    document.getElementById(`match-${index}`)?.scrollIntoView({ block: "nearest" });
  });

  const wanted = query.value;
  const nothing = wanted && result.value && !searching.value && !found.value.length;
  const webJob = underWay("web"); // when it is over, the bank says that it has changed, and the search begins anew
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Matches">
        <button class="bare" onClick={backToClip} disabled={!wanted}>
          ← Clip
        </button>
        <button onClick={() => judge("accepted")} disabled={!found.value.length}>
          Accept <kbd>A</kbd>
        </button>
        <button onClick={() => judge("rejected")} disabled={!found.value.length}>
          Reject <kbd>X</kbd>
        </button>
        <button class="bare" onClick={() => judge(null)} disabled={!found.value.length}>
          Clear <kbd>U</kbd>
        </button>
        <span class="gap" />
        <button class="bare" aria-pressed={matchTrails.value} onClick={() => (matchTrails.value = !matchTrails.value)}>
          Trails <kbd>T</kbd>
        </button>
        <button class="bare" aria-pressed={matchGhosts.value} onClick={() => (matchGhosts.value = !matchGhosts.value)}>
          Ghost <kbd>G</kbd>
        </button>
        <button class="bare" aria-pressed={opened.value} onClick={() => (opened.value = !opened.value)} disabled={!found.value.length}>
          Beside <kbd>Enter</kbd>
        </button>
        <FigureSize />
      </div>
      <Drawing>
        {!wanted && !problem.value && (
          <div class="state">
            {searching.value ? (
              <Waiting>Searching…</Waiting>
            ) : (
              <>
                <h1>Find motions by example</h1>
                <p>
                  Open a clip, mark a segment with <kbd>I</kbd> and <kbd>O</kbd>, then press <kbd>F</kbd>.
                </p>
              </>
            )}
          </div>
        )}
        {problem.value && (
          <div class="state" role="alert">
            <h1>{needs.value === "index" ? "The first search needs the index" : needs.value ? "There is no match web yet" : "This search cannot be done"}</h1>
            {needs.value === "index" ? (
              <IndexBuilding />
            ) : needs.value ? (
              <>
                <p>A match web knows beforehand what is like what, and finds matches of matches. Building it takes minutes in a large bank; you can go on working meanwhile.</p>
                {webJob ? (
                  <JobProgress job={webJob} />
                ) : (
                  <button class="chief" onClick={() => void startJob("web", {})}>
                    Build the match web
                  </button>
                )}
              </>
            ) : (
              <p>{problem.value}</p>
            )}
          </div>
        )}
        {nothing && (
          <div class="state" role="status">
            <h1>No match</h1>
            {notes.value.map((note) => (
              <p key={note}>{sentence(note.replace(/^no match: /, ""))}</p>
            ))}
          </div>
        )}
        {wanted && !problem.value && !nothing && (opened.value && chosenMatch.value ? <SideBySide match={chosenMatch.value} /> : <Grid />)}
      </Drawing>
    </>
  );
}

function queryLength(): number {
  const wanted = query.peek();
  return wanted ? (wanted.segment.stop - wanted.segment.start - 1) * wanted.frame_time : 0;
}

function backToClip(): void {
  const wanted = query.peek();
  if (!wanted) return;
  const { clip_id, start, stop } = wanted.segment;
  go(`/clip/${clip_id}?segment=${start}-${stop}#t=${start}`);
}

function openClip(): void {
  const match = chosenMatch.peek();
  if (match) go(`/clip/${match.clip_id}?segment=${match.start}-${match.stop}#t=${match.start}`);
}

function findLikeMatch(): void {
  const match = chosenMatch.peek();
  if (match) go(`/find?${new URLSearchParams({ query: matchName(match) })}`);
}

function nextMirror(): void {
  const order = ["both", "no", "only"];
  const at = order.indexOf(route.peek().query.get("mirror") ?? "both");
  setQuery({ mirror: order[(at + 1) % 3]! });
}

function toggleChosen(): void {
  const match = chosenMatch.peek();
  if (match) putInBasket(match);
}

function putInBasket(match: Found): void {
  toggleInBasket(keptMatch(match));
}

function Grid() {
  const grid = useRef<HTMLDivElement>(null);
  const style = useFittedCells(grid, found.value.length + 1);
  return (
    <div ref={grid} class="grid" role="listbox" aria-label="Matches" onScroll={redraw} tabIndex={0} style={style}>
      <QueryCell />
      {found.value.map((match, index) => (
        <MatchCell key={`${matchName(match)} ${match.mirrored}`} match={match} index={index} />
      ))}
    </div>
  );
}

function QueryCell() {
  const wanted = query.value!;
  const body = knownMannequin(wanted.mannequin) ?? null;
  return (
    <FigureCell
      motion={wanted.motion}
      mannequin={body}
      frameAt={(moment) => moment * (wanted.motion?.hz ?? 0)}
      lit={lit()}
      lines={(frame) => trails(wanted.motion, body, frame)}
      attributes={{ class: "cell query", role: "option", "aria-selected": false, "data-testid": "query" }}
    >
      <div class="head">
        <strong>Query</strong>
      </div>
      <div class="foot">
        <span class="grow clipped">{wanted.clip}</span>
        <span class="faint number">{duration((wanted.segment.stop - wanted.segment.start) * wanted.frame_time)}</span>
      </div>
    </FigureCell>
  );
}

function MatchCell({ match, index }: { match: Found; index: number }) {
  const verdict = verdicts.value.get(matchName(match));
  const inBasket = basket.value.some((kept) => keyOf(kept) === keyOf({ segment: matchSegment(match) }));
  const body = knownMannequin(match.mannequin) ?? null;
  return (
    <FigureCell
      motion={match.motion}
      mannequin={body}
      frameAt={(moment) => frameInStep(match, moment)}
      lit={lit()}
      lines={(frame) => trails(match.motion, body, frame)}
      attributes={{
        id: `match-${index}`,
        role: "option",
        "aria-selected": chosen.value === index,
        "data-name": `${matchName(match)}${match.mirrored ? " mirrored" : ""} ${match.mean.toFixed(2)}`,
        "data-verdict": verdict,
        "data-playing": match.motion !== null,
        onClick: () => choose(index),
        onDblClick: () => {
          choose(index);
          opened.value = true;
        },
      }}
    >
      <div class="head">
        <strong class="number">{match.rank}</strong>
        {match.mirrored && (
          <span class="faint" title="mirrored">
            ⇋
          </span>
        )}
        {match.tier > 1 && <span class="faint">step {match.tier}</span>}
        {inBasket && <span title="in the basket">◆</span>}
        <span class="verdict" style={{ color: verdict === "accepted" ? "var(--accept)" : "var(--reject)" }}>
          {verdict === "accepted" ? "✓ accepted" : verdict === "rejected" ? "✕ rejected" : ""}
        </span>
      </div>
      <div class="foot" title={`${segmentName(match)} ${match.description}${match.unit === "%" ? "\n0 % is the same, 100 % has nothing in common" : ""}`}>
        <span class="grow clipped">{match.clip}</span>
        <span class="faint number">
          {measured(match.mean, match.unit)}
        </span>
      </div>
    </FigureCell>
  );
}

function trails(motion: Motion | null, body: Mannequin | null, frame: number): Line[] {
  return matchTrails.peek() && motion && body ? trail(motion, body, frame) : [];
}

function lit(): ReadonlySet<string> {
  const joint = litJoint.value;
  return new Set(joint ? [joint] : []);
}

function trail(motion: Motion, body: Mannequin, frame: number): Line[] {
  const from = Math.max(0, frame - 0.6 * motion.hz);
  const to = Math.min(motion.frames - 1, frame + 0.6 * motion.hz);
  const steps = 18;
  const places = new Float32Array(motion.nodes * 3);
  const points = body.tips.map(() => new Float32Array(3 * (steps + 1)));
  for (let step = 0; step <= steps; step++) {
    placesAt(motion, from + ((to - from) * step) / steps, places);
    body.tips.forEach((tip, i) => {
      points[i]![3 * step] = places[3 * tip]!;
      points[i]![3 * step + 1] = places[3 * tip + 1]!;
      points[i]![3 * step + 2] = places[3 * tip + 2]!;
    });
  }
  const colours = palette.peek();
  return body.tips.map((tip, i) => ({ points: points[i]!, colour: colours[body.sides[tip]!], width: 2, alpha: 0.7 }));
}

/** What the camera was set to see, and the farthest that the two were apart since, in metres. */
interface Fitted {
  to: unknown;
  apart: number;
}

/** The query and one match on one stage, in step. */
function SideBySide({ match }: { match: Found }) {
  const cell = useRef<HTMLDivElement>(null);
  const camera = useMemo(() => new OrbitCamera(), []);
  const fitted = useRef<Fitted>({ to: null, apart: 0 });
  const current = useRef(match);
  current.current = match;
  useCell(cell, () => pairScene(camera, current.current, fitted));
  useOrbit(cell, camera, { reset: () => (fitted.current.to = null) });
  return (
    <>
      <div ref={cell} class="view" data-testid="pair" role="img" aria-label={`The query and ${match.clip}`} />
      <div class="caption">
        <h1 class="clipped">
          Query and {match.rank}: {match.clip}
        </h1>
        <p class="small">{matchGhosts.value ? "The query is the pale figure." : "Left the query, right the match."}</p>
        <p class="faint small">
          {measured(match.mean, match.unit)}
          {match.mirrored ? ", mirrored" : ""} · {match.description}
        </p>
      </div>
    </>
  );
}

function pairScene(camera: OrbitCamera, match: Found, fitted: { current: Fitted }): Scene | null {
  const wanted = query.peek();
  const bodies = [wanted && knownMannequin(wanted.mannequin), knownMannequin(match.mannequin)];
  if (!wanted?.motion || !match.motion || !bodies[0] || !bodies[1]) return null;
  const frames = [now.peek() * wanted.motion.hz, frameInStep(match, now.peek())];
  const figures: Figure[] = [];
  const lines: Line[] = [];
  const ghost = matchGhosts.peek();
  [wanted.motion, match.motion].forEach((motion, i) => {
    const body = bodies[i]!;
    const first = placesAt(motion, 0, new Float32Array(motion.nodes * 3));
    const places = placesAt(motion, frames[i]!, new Float32Array(motion.nodes * 3));
    // Both face the same way and stand next to each other, or in each other
    const turn = facing(placesAt(motion, 0, first), body);
    const apart = ghost ? 0 : (i === 0 ? -0.5 : 0.5) * body.size;
    const aside: [number, number] = [apart * Math.cos(BESIDE_VIEW), -apart * Math.sin(BESIDE_VIEW)];
    const put = (points: Float32Array): Float32Array => turned(points, first, body, turn, aside);
    figures.push({ mannequin: body, places: put(places), lit: lit(), ...(ghost && i === 0 ? { alpha: 0.35, shadow: false } : {}) });
    if (matchTrails.peek()) for (const line of trail(motion, body, frames[i]!)) lines.push({ ...line, points: put(line.points) });
  });
  const body = bodies[0];
  const centres = figures.map(({ mannequin, places }) => places.subarray(3 * mannequin.centre, 3 * mannequin.centre + 3));
  const apart = Math.hypot(centres[0]![0]! - centres[1]![0]!, centres[0]![2]! - centres[1]![2]!);
  if (fitted.current.to !== wanted) {
    fitted.current = { to: wanted, apart: Math.max(apart, body.size) };
    camera.fit(0, 0.5 * body.size, 0, 0.95 * body.size);
    camera.orbit.theta = BESIDE_VIEW;
    camera.orbit.phi = FROM_ABOVE;
  }
  // Both stay in sight wherever they go
  camera.target.x = (centres[0]![0]! + centres[1]![0]!) / 2;
  camera.target.z = (centres[0]![2]! + centres[1]![2]!) / 2;
  if (apart > fitted.current.apart) {
    camera.zoom(apart / fitted.current.apart);
    fitted.current.apart = apart;
  }
  return { camera, ground: true, groundSize: 8, figures, lines };
}

/** Seen so that the motion starts at the middle and faces the camera's front; then moved on the ground. */
function turned(points: Float32Array, first: Float32Array, body: Mannequin, turn: number, aside: readonly [number, number]): Float32Array {
  const [x, z] = [first[3 * body.centre]!, first[3 * body.centre + 2]!];
  const [sine, cosine] = [Math.sin(-turn), Math.cos(-turn)];
  for (let i = 0; i < points.length; i += 3) {
    const [dx, dz] = [points[i]! - x, points[i + 2]! - z];
    points[i] = dx * cosine + dz * sine + aside[0];
    points[i + 2] = -dx * sine + dz * cosine + aside[1];
  }
  return points;
}
