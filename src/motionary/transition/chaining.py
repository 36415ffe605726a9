"""Chains: segments one after the other, with a transition from each to the next, as one continuous motion."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionary.errors import UsageError
from motionary.formats import Savable
from motionary.motion import Motion, Placement
from motionary.plants import Plant
from motionary.transition.joining import Poses, between, join_poses, pool_poses
from motionary.transition.making import Maker, Transition
from motionary.transition.pool import Pool
from motionary.transition.requests import Frame, MakeOptions
from motionary.transition.targets import Stop, best_pair, entries

N_TRIED, N_MADE = 48, 4  # pairs of frames whose direct blends are scored, and that are made, for each transition
LIVELY = 0.5  # of how much segments with a label usually move: parts that move less are not what the label means
LIMBS = 0.6  # metres that joints count for when they turn by a radian
OUT_EVERY = 4  # frames between those at which a segment may be left
SLACK_SECS = 0.4  # by which a segment may be left earlier, or entered later, if that scores better


@dataclass(frozen=True, eq=False)
class Chain(Savable):
    """One motion through several segments, and the transitions in it."""

    motion: Motion  # feet cleaned up, unless that was not asked for
    raw: Motion
    plants: tuple[Plant, ...]
    transitions: tuple[Transition, ...]
    seams: tuple[tuple[int, int], ...]  # frames [start, stop) of the motion that each transition takes
    stops: tuple[Stop, ...]  # the segments as they are played

    @property
    def worst(self) -> float:
        """The worst score of its transitions, metres."""
        return max((one.score.score for one in self.transitions), default=0.0)


def chain_stops(maker: Maker, stops: Sequence[Stop | list[Stop]], *, play_secs: float, options: MakeOptions) -> Chain:
    """The chain through these stops; where one is a list, any of its segments will do, and the best is taken.

    Of segments that were chosen from a list, at most `play_secs` are played; of longer ones at least half of that, if
    they can be left better sooner. Of the first list it is the part that leads best to what follows.
    """
    if len(stops) < 2:
        raise UsageError("a chain needs at least two segments or labels")
    if not play_secs > 0.0:
        raise UsageError(f"{play_secs:g} s of each segment cannot be played; ask for more than 0")
    pool = maker.pool
    most, slack = max(2, round(play_secs / pool.frame_time)), round(SLACK_SECS / pool.frame_time)
    first = stops[0]
    now, early = (first[0] if isinstance(first, list) else first), slack
    made: list[Transition] = []
    played: list[Stop] = []
    rough = replace(options, lead_secs=0.0, clean_feet=False)
    for n, following in enumerate(stops[1:], start=2):
        if n == 2 and isinstance(first, list):
            out_of = [(frame, stop) for stop in first for frame in _ways_out(stop, most, slack)]
            parts = [Stop(frame.clip, max(frame.frame - most, stop.start), frame.frame + 1) for frame, stop in out_of]
            leave = [out_of[k][0] for k in _playable(pool, parts)]
        else:
            leave = [Frame(now.clip, f) for f in range(now.stop - 1, max(now.stop - 1 - early, now.start), -4)]
            leave = leave or [Frame(now.clip, now.stop - 1)]
        if isinstance(following, list):
            into = [(frame, stop) for stop in following for frame in entries([stop])]
            parts = [Stop(frame.clip, frame.frame, min(frame.frame + most, stop.stop)) for frame, stop in into]
            ways_in = [into[k][0] for k in _playable(pool, parts)]
        else:
            last = min(following.start + slack, following.stop - 1)
            ways_in = [Frame(following.clip, f) for f in range(following.start, last + 1, 4)]
        if n < len(stops):
            ways_in = _left_again(pool, ways_in)
        found = best_pair(maker, leave, ways_in, options=rough, n_tried=N_TRIED, n_made=N_MADE)
        if n == 2 and isinstance(first, list):
            out = found.source
            now = next(s for s in first if s.clip == out.clip and s.start <= out.frame < s.stop)
            now = replace(now, start=max(now.start, out.frame - most))
        made.append(found)
        played.append(Stop(now.clip, now.start, found.source.frame))
        entered = found.target.frame + 1
        if isinstance(following, list):
            ends = [s.stop for s in following if s.clip == found.target.clip and s.start <= found.target.frame < s.stop]
            now, early = _short(Stop(found.target.clip, entered, max([entered + 1, *ends[:1]])), most, slack)
        else:
            now, early = Stop(following.clip, entered, max(following.stop, entered + 1)), slack
    played.append(now)
    return join_transitions(maker, played, made, options=options)


def _ways_out(stop: Stop, most: int, slack: int) -> list[Frame]:
    """Frames at which a segment may be left after `most` of its frames; a shorter one as near its end as `slack`."""
    earliest = stop.start + most if stop.n_frames > most else max(stop.stop - slack, stop.start + 1)
    return [Frame(stop.clip, f) for f in range(min(earliest, stop.stop - 1), stop.stop, OUT_EVERY)]


def _playable(pool: Pool, parts: Sequence[Stop]) -> list[int]:
    """The numbers of the parts that move at least half as much as is usual among them; those that begin and end on the
    floor, if there are any.

    Labels are often those of whole clips, which begin and end with somebody who stands and waits. And what follows a
    part that ends higher, with its feet on the rungs of a stool, would go on in the air.
    """
    ways: dict[int, np.ndarray] = {}
    paces = np.empty(len(parts))
    for k, part in enumerate(parts):
        if part.clip not in ways:
            ways[part.clip] = _way_of(pool, part.clip)
        way, last = ways[part.clip], max(part.stop - 1, part.start + 1)
        last = min(last, len(way) - 1)
        paces[k] = (way[last] - way[part.start]) / max(last - part.start, 1)
    lively: list[int] = np.flatnonzero(paces >= LIVELY * np.median(paces)).tolist()
    return [k for k in lively if _is_on_floor(pool, parts[k])] or lively


def _is_on_floor(pool: Pool, part: Stop) -> bool:
    """Whether a part begins and ends at the height of its clip's floor."""
    first = int(pool.starts[part.clip])
    return all(pool.level(part.clip, first + frame) == 0.0 for frame in (part.start, part.stop - 1))


def _way_of(pool: Pool, clip: int) -> np.ndarray:
    """How far the root has moved and the joints have turned (F,) up to each frame of a clip, metres."""
    frames = slice(int(pool.starts[clip]), int(pool.starts[clip + 1]))
    moved = np.linalg.norm(np.diff(pool.roots[frames], axis=0), axis=1)
    turned = 2.0 * np.linalg.norm(np.diff(pool.turns[frames], axis=0), axis=1).mean(axis=1)
    return np.concatenate([[0.0], np.cumsum(moved + LIMBS * turned)])


def _left_again(pool: Pool, ways_in: Sequence[Frame]) -> list[Frame]:
    """The frames with a frame of their clip after them, at which it can be left; its last becomes the one before."""
    last = np.diff(pool.starts) - 1
    return list(dict.fromkeys(Frame(one.clip, max(min(one.frame, int(last[one.clip]) - 1), 0)) for one in ways_in))


def _short(stop: Stop, most: int, slack: int) -> tuple[Stop, int]:
    """At most so many frames of a stop, and by how many it may be left earlier: by half of them where it was cut."""
    if stop.n_frames <= most:
        return stop, slack
    return Stop(stop.clip, stop.start, stop.start + most), max(slack, most // 2)


def join_transitions(
    maker: Maker,
    played: Sequence[Stop],
    made: Sequence[Transition],
    *,
    options: MakeOptions,
    before: int = 0,
    after: int = 0,
) -> Chain:
    """The stops and the transitions between them, each placed where the last one ended.

    Of the frames `before` and `after` it, feet are held only in plants that go on within.
    """
    pool = maker.pool
    parts: list[Poses] = []
    seams: list[tuple[int, int]] = []
    moved, rise = Placement(), 0.0  # from where the pool has the stop to where the chain has it

    def play(stop: Stop) -> None:
        first = int(pool.starts[stop.clip])
        last = min(first + stop.stop, int(pool.starts[stop.clip + 1]))
        if first + stop.start < last:
            parts.append(pool_poses(pool, stop.clip, first + stop.start, last).placed(moved, rise=rise))

    play(played[0])
    for one, stop in zip(made, played[1:], strict=True):
        blend = one.blend.placed(moved, rise=rise)
        rise += one.rise
        begin = sum(part.n_frames for part in parts)
        seams.append((begin, begin + blend.n_frames))
        parts.append(blend)
        moved = between(pool.placement(int(pool.starts[one.target.clip]) + one.target.frame), blend.end)
        play(stop)
    whole = join_poses(parts)
    raw = whole.motion(pool)
    plants = whole.plants()
    cleaned = raw
    if options.clean_feet:
        cleaned = maker.cleaned_between(raw, plants, before, raw.n_frames - after, seams)
    return Chain(cleaned, raw, plants, tuple(made), tuple(seams), tuple(played))
