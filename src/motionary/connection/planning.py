"""Ways from a frame to others within a time: along edges, by one transition of a table, and mixes of both."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionary.connection.edges import Edges, Reach, reach
from motionary.transition import Blender

By = Literal["clip", "graph", "transition", "mixed"]
PENALTIES = (0.0, 60.0, 600.0)  # frames that a way along edges may be longer to avoid a metre of distance
N_PLANS = {"clip": 1, "graph": 8, "transition": 1, "mixed": 24}  # that are blended, of all
EVERY = 3  # frames between those at which a clip is left or entered by a transition of the table
MOST_EDGES = 5_000  # after which transitions of the table are looked for
PER_KIND = 3  # of them for each representative
PLAYED = (6, 15, 30, 60)  # frames of a clip between two transitions of the table
CARRIED_UNLIKE = 2.0  # metres: what a window that goes beyond its clip, or a break in it, counts as
N_BY_TWO = 6  # plans by two transitions, for each time that is played between them
UNLIKE = 0.05  # metres of score for each metre by which a window differs from its representative


@dataclass(frozen=True)
class Step:
    """A blend from a frame of the pool to another; `n_frames` of an edge, None of a transition of the table."""

    source: int
    target: int
    n_frames: int | None


@dataclass(frozen=True)
class Plan:
    """Steps from one frame to another, clips being played between them."""

    by: By
    start: int
    stop: int
    steps: tuple[Step, ...]
    promised: float  # what it is expected to score, or to cost; lower is better


def plans(
    blender: Blender, edges: Edges, start: int, goals: Sequence[int], n_frames: int, kinds: Sequence[By]
) -> Iterator[Plan]:
    """Plans from a frame to any of the goals, within about so many frames; of each kind those that promise most."""
    reached: list[Reach] = []
    if {"graph", "mixed"} & set(kinds):
        reached = [reach(edges, [start], n_frames, frames_per_metre=price) for price in PENALTIES]
    for by in kinds:
        found: dict[tuple[Step, ...], Plan] = {}
        if by == "clip":
            options = _along_the_clip(edges, start, goals, n_frames)
        elif by == "transition":
            options = _by_transition(blender, edges.starts, start, goals, n_frames)
        elif by == "graph":
            options = _by_graph(edges, reached, start, goals, n_frames)
        else:
            options = _mixed(blender, edges, reached, start, goals, n_frames)
        for plan in sorted(options, key=lambda plan: (plan.promised, plan.stop, len(plan.steps))):
            found.setdefault(plan.steps, plan)
            if len(found) == N_PLANS[by]:
                break
        yield from found.values()


def _along_the_clip(edges: Edges, start: int, goals: Sequence[int], n_frames: int) -> Iterator[Plan]:
    stop = min(edges.clip_stop(start), start + n_frames + 1)
    for goal in sorted(goal for goal in goals if start <= goal < stop)[:1]:
        yield Plan("clip", start, goal, (), float(goal - start))


def _by_transition(
    blender: Blender, pieces: np.ndarray, start: int, goals: Sequence[int], n_frames: int
) -> Iterator[Plan]:
    """One transition of the table straight to a goal."""
    if blender.n_frames > n_frames:
        return
    outs, _ = _kinds(blender, pieces, np.array([start]), later=0)
    ins, unlike = _kinds(blender, pieces, np.array(goals), later=-blender.n_frames)
    promised = blender.table.least[outs[0], ins] + UNLIKE * unlike
    for goal, score in zip(goals, promised.tolist(), strict=True):
        yield Plan("transition", start, int(goal), (Step(start, int(goal), None),), score)


def _by_graph(
    edges: Edges, reached: Sequence[Reach], start: int, goals: Sequence[int], n_frames: int
) -> Iterator[Plan]:
    """Along edges only."""
    ends = np.unique(goals)
    for found in reached:
        arrived = edges.arrives[found.taken]
        nearest = np.minimum(np.searchsorted(ends, arrived), len(ends) - 1)
        stops = edges.starts[np.searchsorted(edges.starts, arrived, side="right")]
        totals = found.taken_at[found.taken] + edges.lengths[found.taken] + ends[nearest] - arrived
        there = (ends[nearest] >= arrived) & (ends[nearest] < stops) & (totals <= n_frames)
        for edge, goal, total in zip(
            found.taken[there].tolist(), ends[nearest[there]].tolist(), totals[there].tolist(), strict=True
        ):
            steps, worst = _steps(found, edge), float(edges.costs[list(found.way(edge))].max())
            yield Plan("graph", start, goal, steps, worst + 1e-3 * len(steps) + 1e-4 * total)


def _mixed(
    blender: Blender, edges: Edges, reached: Sequence[Reach], start: int, goals: Sequence[int], n_frames: int
) -> Iterator[Plan]:
    """One transition of the table, edges and clips before and after it; or two, and a clip between them."""
    left = n_frames - blender.n_frames
    if left <= 0:
        return
    last = edges.n_frames - 1
    for penalty, before in zip(PENALTIES[1:], reached[1:], strict=True):
        after = reach(edges.backwards, [last - goal for goal in goals], left, frames_per_metre=penalty)
        outs = _ends(blender, edges.starts, before, [start], left, backwards=False)
        ins = _ends(blender, edges.starts, after, [last - goal for goal in goals], left, backwards=True)
        yield from _pairs(blender, before, after, outs, ins, left)
    yield from _by_two(blender, edges, start, goals, n_frames)


@dataclass(frozen=True, eq=False)
class _Ends:
    """Frames from which a transition may leave, or at which it may arrive, counted in the pool's own time."""

    frames: np.ndarray  # (N,) of the pool
    played: np.ndarray  # (N,) frames from the start, or to the goal
    edges: np.ndarray  # (N,) the last edge before, or the first after; −1: none
    origins: np.ndarray  # (N,) the start, or the goal
    kinds: np.ndarray  # (N,) the nearest representative
    unlike: np.ndarray  # (N,) metres between the window and its representative


def _ends(
    blender: Blender, pieces: np.ndarray, found: Reach, starts: Sequence[int], most: int, *, backwards: bool
) -> _Ends:
    """Where clips can be left, or entered: then `found` and `starts` are of time reversed. Of each kind the likest."""
    edges, taken = found.edges, found.taken
    landed = found.taken_at[taken] + edges.lengths[taken] + 1
    whole = edges.onwards_play[taken] & (landed <= most)
    soonest = np.flatnonzero(whole)[np.argsort(landed[whole], kind="stable")[:MOST_EDGES]]
    taken, landed = taken[soonest], landed[soonest]
    heads = np.concatenate([np.array(starts), edges.arrives[taken] + 1])
    frames = np.concatenate([np.zeros(len(starts), dtype=np.int64), landed])
    numbers = np.concatenate([np.full(len(starts), -1), taken])
    origins = np.concatenate([np.array(starts), found.started[taken]])
    stops = edges.starts[np.searchsorted(edges.starts, heads, side="right")]
    n_played = -(-np.minimum(stops - heads, most - frames + 1) // EVERY)  # times that each clip may be left
    which = np.repeat(np.arange(len(heads)), n_played)
    later = EVERY * (np.arange(len(which)) - np.repeat(np.cumsum(n_played) - n_played, n_played))
    table = np.stack([heads[which] + later, frames[which] + later, numbers[which], origins[which]], axis=1)
    last = edges.n_frames - 1
    places, origins = (last - table[:, c] if backwards else table[:, c] for c in (0, 3))
    own = table[:, 1] == 0
    kinds, unlike = np.full(len(table), -1), np.full(len(table), np.inf)
    for some, carried in ((own, True), (~own, False)):
        later = -blender.n_frames if backwards else 0
        kinds[some], unlike[some] = _kinds(blender, pieces, places[some], later=later, carried=carried)
    ends = _Ends(places, table[:, 1], table[:, 2], origins, kinds, unlike)
    whole = np.flatnonzero(kinds >= 0)
    order = whole[np.lexsort((ends.played[whole], ends.unlike[whole], kinds[whole]))]
    rank = np.arange(len(order)) - np.searchsorted(kinds[order], kinds[order])
    quickest = whole[np.lexsort((ends.unlike[whole], ends.played[whole], kinds[whole]))]
    firsts = np.flatnonzero(np.diff(kinds[quickest], prepend=-1))
    kept = np.unique(np.concatenate([order[rank < PER_KIND], quickest[firsts]]))
    return _Ends(*(getattr(ends, name)[kept] for name in ("frames", "played", "edges", "origins", "kinds", "unlike")))


def _kinds(
    blender: Blender, pieces: np.ndarray, frames: np.ndarray, *, later: int, carried: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """The representatives (N,) nearest to the windows that begin so much later than frames, and how unlike they are.

    Windows that go beyond the `pieces` that their frames are in have representatives only if `carried`; −1 without.
    """
    pool, firsts = blender.pool, frames + later
    clips = np.searchsorted(pool.starts, frames, side="right") - 1
    after = np.searchsorted(pieces, frames, side="right")
    whole = (firsts >= pieces[after - 1]) & (firsts + blender.n_frames < pieces[after])
    kinds, unlike = np.full(len(frames), -1, dtype=np.int64), np.full(len(frames), CARRIED_UNLIKE)
    some = whole | carried
    kinds[some] = blender.representatives(clips[some], firsts[some])
    unlike[whole] = blender.table.clusters.distances[firsts[whole], kinds[whole]]
    return kinds, unlike


def _pairs(blender: Blender, before: Reach, after: Reach, outs: _Ends, ins: _Ends, left: int) -> Iterator[Plan]:
    """Transitions from where clips can be left to where they can be entered, in time."""
    scores = blender.table.least[np.ix_(outs.kinds, ins.kinds)].astype(np.float64)
    scores += UNLIKE * (outs.unlike[:, None] + ins.unlike[None, :])
    scores[outs.played[:, None] + ins.played[None, :] > left] = np.inf
    best = np.argsort(scores, axis=None, kind="stable")[: 4 * N_PLANS["mixed"]]
    for a, b in zip(*(part.tolist() for part in np.unravel_index(best, scores.shape)), strict=True):
        if not np.isfinite(scores[a, b]):
            return
        first, second = _steps(before, int(outs.edges[a])), _steps_back(after, int(ins.edges[b]))
        middle = Step(int(outs.frames[a]), int(ins.frames[b]), None)
        start, stop = int(outs.origins[a]), int(ins.origins[b])
        if first or second or (middle.source, middle.target) != (start, stop):
            yield Plan("mixed", start, stop, (*first, middle, *second), float(scores[a, b]))


def _by_two(blender: Blender, edges: Edges, start: int, goals: Sequence[int], n_frames: int) -> Iterator[Plan]:
    """A transition into some clip that leads on well, and another out of it, a little later."""
    pool, n, scores = blender.pool, blender.n_frames, blender.table.least
    nearest = blender.nearest[:, 0].astype(np.int64)
    unlike = np.take_along_axis(blender.table.clusters.distances, np.maximum(nearest, 0)[:, None], axis=1)[:, 0]
    outs, _ = _kinds(blender, edges.starts, np.array([start]), later=0)
    ins, _ = _kinds(blender, edges.starts, np.array(goals), later=-n)
    for played in PLAYED:
        if 2 * n + played > n_frames:
            return
        firsts = np.arange(max(pool.n_frames - 2 * n - played, 0))  # windows that end where the clip is entered
        left = firsts + n + played
        piece = np.searchsorted(edges.starts, firsts, side="right")
        whole = (piece == np.searchsorted(edges.starts, left + n, side="right")) & (nearest[firsts] >= 0)
        firsts, left = firsts[whole], left[whole]
        into, out = scores[outs[0], nearest[firsts]], scores[nearest[left]][:, ins]
        promised = np.maximum(into[:, None], out).min(axis=1, initial=np.inf)
        promised = promised + UNLIKE * (unlike[firsts] + unlike[left]).astype(np.float64)
        taken: list[int] = []
        for number in np.argsort(promised, kind="stable")[: 100 * N_BY_TWO].tolist():
            if len(taken) == N_BY_TWO:
                break
            frame = int(firsts[number])
            if all(abs(frame - other) > n // 2 for other in taken):
                taken.append(frame)
                goal = int(goals[int(np.argmin(out[number]))])
                steps = (Step(start, frame + n, None), Step(int(left[number]), goal, None))
                yield Plan("mixed", start, goal, steps, float(promised[number]))


def _steps(found: Reach, edge: int) -> tuple[Step, ...]:
    """The blends of the way to an edge, itself the last."""
    edges = found.edges
    way = found.way(edge) if edge >= 0 else ()
    return tuple(Step(int(edges.departs[e]), int(edges.arrives[e]), int(edges.lengths[e])) for e in way)


def _steps_back(found: Reach, edge: int) -> tuple[Step, ...]:
    """The same of time reversed, as they come in the pool's own."""
    last = found.edges.n_frames - 1
    steps = _steps(found, edge)
    return tuple(Step(last - step.target, last - step.source, step.n_frames) for step in reversed(steps))
