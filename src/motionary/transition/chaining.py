"""Chains: segments one after the other, with a transition from each to the next, as one continuous motion."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionary.errors import UsageError
from motionary.motion import Motion, Placement
from motionary.plants import Plant
from motionary.transition.joining import Poses, between, join_poses, pool_poses
from motionary.transition.making import Maker, Transition
from motionary.transition.pool import Pool
from motionary.transition.requests import Frame, MakeOptions
from motionary.transition.targets import Stop, best_pair, entries

N_TRIED, N_MADE = 48, 4  # pairs of frames whose direct blends are scored, and that are made, for each transition
SLACK_SECS = 0.4  # by which a segment may be left earlier, or entered later, if that scores better


@dataclass(frozen=True, eq=False)
class Chain:
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
    they can be left better sooner.
    """
    if len(stops) < 2:
        raise UsageError("a chain needs at least two segments or labels")
    if not play_secs > 0.0:
        raise UsageError(f"{play_secs:g} s of each segment cannot be played; ask for more than 0")
    pool = maker.pool
    most, slack = max(2, round(play_secs / pool.frame_time)), round(SLACK_SECS / pool.frame_time)
    first = stops[0]
    if isinstance(first, list):
        whole = min(first, key=lambda stop: (-stop.n_frames, stop.clip, stop.start))
        now, early = _short(whole, most, slack)
    else:
        now, early = first, slack
    made: list[Transition] = []
    played: list[Stop] = []
    rough = replace(options, lead_secs=0.0, clean_feet=False)
    for n, following in enumerate(stops[1:], start=2):
        leave = [Frame(now.clip, f) for f in range(now.stop - 1, max(now.stop - 1 - early, now.start), -4)]
        leave = leave or [Frame(now.clip, now.stop - 1)]
        if isinstance(following, list):
            ways_in = entries(following)
        else:
            last = min(following.start + slack, following.stop - 1)
            ways_in = [Frame(following.clip, f) for f in range(following.start, last + 1, 4)]
        if n < len(stops):
            ways_in = _left_again(pool, ways_in)
        found = best_pair(maker, leave, ways_in, options=rough, n_tried=N_TRIED, n_made=N_MADE)
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
    cleaned = maker.cleaned_between(raw, plants, before, raw.n_frames - after) if options.clean_feet else raw
    return Chain(cleaned, raw, plants, tuple(made), tuple(seams), tuple(played))
