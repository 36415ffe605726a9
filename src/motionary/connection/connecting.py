"""The best way from a frame to another within a time: a graph's path, a table's transition, or a mix of both."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from motionary.arguments import number
from motionary.bank import Bank
from motionary.connection.edges import Edges
from motionary.connection.planning import By, Plan, Step, plans
from motionary.errors import NotInBankError, UsageError
from motionary.formats import Savable
from motionary.graph import BuiltGraph, NotPlayed, graph_names, not_played, open_graph
from motionary.motion import Motion, Rates
from motionary.plants import Plant
from motionary.rounding import json_number
from motionary.transition import (
    BankTransitions,
    Blended,
    Chain,
    Frame,
    MakeOptions,
    Pool,
    Stop,
    Transition,
    join_transitions,
    open_transitions,
)

Wanted = Literal["any", "graph", "transition", "mixed"]
KINDS: dict[str, tuple[By, ...]] = {
    "any": ("clip", "graph", "transition", "mixed"),
    "graph": ("clip", "graph"),
    "transition": ("transition",),
    "mixed": ("mixed",),
}
MOST_SECS = 30.0


@dataclass(frozen=True)
class Option:
    """The best connection of one kind: how long it takes, and the score of its worst transition, metres."""

    by: By
    secs: float
    score: float


@dataclass(frozen=True, eq=False)
class Connection(Savable):
    """A motion from a frame to another, and how good it is."""

    by: By  # "clip": it is played; "graph", "transition": by these only; "mixed": by both, or several transitions
    chain: Chain
    source: Frame
    target: Frame
    start: int  # frame of the motion that is the source's
    stop: int  # one behind the frame that is the target's
    secs: float  # from the one to the other
    options: tuple[Option, ...]  # the best of each kind, this one's among them

    @property
    def motion(self) -> Motion:
        return self.chain.motion

    @property
    def plants(self) -> tuple[Plant, ...]:
        return self.chain.plants

    @property
    def transitions(self) -> tuple[Transition, ...]:
        return self.chain.transitions

    @property
    def clips(self) -> list[int]:
        """The numbers of the pool's clips that it is made of."""
        used = [stop.clip for stop in self.chain.stops]
        used += [frame.clip for one in self.transitions for frame in (one.source, one.target, *one.intermediaries)]
        return sorted(set(used))

    @property
    def score(self) -> float:
        """The score of its worst transition, metres; 0 where there is none."""
        return self.chain.worst

    @property
    def threshold(self) -> float:
        """Up to which score that transition counts as natural; infinite where there is none."""
        worst = max(self.transitions, key=lambda one: one.score.score, default=None)
        return np.inf if worst is None else worst.threshold

    @property
    def good(self) -> bool:
        """Whether all its transitions score like natural motion."""
        return all(one.good for one in self.transitions)


@dataclass(frozen=True, eq=False)
class Connector:
    """Connects frames of a bank; opened once, used often."""

    transitions: BankTransitions
    edges: Edges
    graph: str | None  # the graph's name
    left_out: Mapping[int, Sequence[NotPlayed]]  # what is not played of clips, by their numbers in the pool

    @classmethod
    def of(
        cls, transitions: BankTransitions, *, graph: str | None = None, message: Callable[[str], None] | None = None
    ) -> "Connector":
        """What connects frames by these transitions, and by a graph of the same bank: the one built last by default."""
        bank, pool = transitions.bank, transitions.maker.pool
        if graph is None and not graph_names(bank):
            if message:
                message(f"{bank.path} has no motion graph: only transitions are used; `graph build` makes one")
            left_out = _left_out(bank, pool)
            return cls(transitions, Edges.none(pool, breaks=_breaks(pool, left_out)), None, left_out)
        built = open_graph(bank, graph, message=message)
        left_out = _left_out(bank, pool, _known(built, 1.0 / pool.frame_time))
        return cls(transitions, Edges.of(built.whole, pool, breaks=_breaks(pool, left_out)), built.name, left_out)

    def connect(
        self,
        source: str | Frame,
        target: str | Frame | None = None,
        within: float = 3.0,
        *,
        label: str | None = None,
        by: Wanted = "any",
        **options: Any,
    ) -> Connection:
        """The best connection from a frame to another, or into a label, within so many seconds.

        Best is whose worst transition scores least; of equal ones the shortest. `by` takes those of one kind only.
        Options as in `MakeOptions`.
        """
        if not 0.1 <= number(within, "within") <= MOST_SECS:
            raise UsageError(f"connections within {within:g} s are not possible; allow 0.1 to {MOST_SECS:g}")
        if by not in KINDS:
            raise UsageError(f"no kind of connection is called {by!r}; there are {', '.join(KINDS)}")
        if (target is None) == (label is None):
            raise UsageError("a connection leads to a frame or to a label: name one of them")
        asked, opened, pool = MakeOptions(**options), self.transitions, self.transitions.maker.pool
        start = self._pool_frame(source)
        if label is not None:
            goals = [self._pool_frame(frame) for frame in self._entries(label)]
        else:
            assert target is not None
            goals = [self._pool_frame(target)]
        n_frames = int(within / pool.frame_time + 1e-6)
        found = self._blended(
            plans(opened.maker.blender, self.edges, start, goals, n_frames, KINDS[by]), n_frames, asked
        )
        if not found:
            where = f"into {label}" if label is not None else f"to {opened.name(self._frame(goals[0]))}"
            raise UsageError(
                f"nothing leads from {opened.name(self._frame(start))} {where} within {within:g} s; a transition of "
                f"this table takes about {opened.secs:g} s: allow more time"
            )
        best = min(found.values(), key=lambda one: (one.score, one.n_frames))
        order = list(KINDS["any"])
        ranked = sorted(found.values(), key=lambda one: order.index(one.plan.by))
        known = tuple(Option(one.plan.by, one.n_frames * pool.frame_time, one.score) for one in ranked)
        return self._joined(best, known, asked)

    def facts(self, made: Connection) -> dict[str, Any]:
        """What is known of a connection, for JSON."""
        steps = self.transitions.chain_facts(made.chain)
        for facts in steps:
            facts["by"] = "graph" if facts["method"] == "direct" else "transition"
        first, last = (self.transitions.name(frame) for frame in (made.source, made.target))
        return {
            "from": first,
            "to": last,
            "by": made.by,
            "secs": round(made.secs, 4),
            "score_cm": json_number(100.0 * made.score, 3),
            "threshold_cm": json_number(100.0 * made.threshold, 3),
            "good": made.good,
            "start": made.start,
            "stop": made.stop,
            "transitions": steps,
            "options": [
                {"by": one.by, "secs": round(one.secs, 4), "score_cm": json_number(100.0 * one.score, 3)}
                for one in made.options
            ],
        }

    def _pool_frame(self, frame: str | Frame) -> int:
        found = self.transitions.frame(frame) if isinstance(frame, str) else frame
        number, why = self.transitions.maker.blender.checked(found), self._why_not_played(found)
        if why is not None:
            asked = frame if isinstance(frame, str) else self.transitions.name(frame)
            raise NotInBankError(f"{asked!r} is not played ({why}); {self._advice(found)}")
        return number

    def _entries(self, label: str) -> list[Frame]:
        """The frames at which what carries a label may be entered, without those that are not played."""
        frames = self.transitions.entries(label)
        played = [frame for frame in frames if self._why_not_played(frame) is None]
        if not played:
            why = self._why_not_played(frames[0])
            raise NotInBankError(f"nothing that is labelled {label!r} can be entered: it is not played ({why})")
        return played

    def _why_not_played(self, frame: Frame) -> str | None:
        spans = self.left_out.get(frame.clip, ())
        return next((one.why for one in spans if one.start <= frame.frame < one.stop), None)

    def _advice(self, frame: Frame) -> str:
        """Which frame of a clip is played, for people who named one that is not: the next, or else the last before."""
        pool, opened = self.transitions.maker.pool, self.transitions
        later = range(frame.frame + 1, int(pool.starts[frame.clip + 1] - pool.starts[frame.clip]))
        for way, others in (("next", later), ("last", range(frame.frame - 1, -1, -1))):
            for other in others:
                if self._why_not_played(Frame(frame.clip, other)) is None:
                    name = opened.name(Frame(frame.clip, other))
                    if self._why_not_played(opened.frame(name)) is None:  # at another rate it may be a frame beside it
                        return f"the {way} frame that is played is {name}"
        return "nothing of this clip is"

    def _frame(self, frame: int) -> Frame:
        pool = self.transitions.maker.pool
        clip = pool.clip_of(frame)
        return Frame(clip, frame - int(pool.starts[clip]))

    def _blended(self, some: Any, n_frames: int, options: MakeOptions) -> dict[By, "_Tried"]:
        """The best plan of each kind, by the scores of its blends."""
        blender = self.transitions.maker.blender
        direct, known = MakeOptions(method="direct"), dict[Step, Blended]()
        best: dict[By, _Tried] = {}
        for plan in some:
            least = best[plan.by].score if plan.by in best else np.inf
            blends: list[Blended] = []
            for step in plan.steps:
                if step not in known:
                    ends = self._frame(step.source), self._frame(step.target)
                    asked = options if step.n_frames is None else direct
                    known[step] = blender.blend(*ends, options=asked, n_frames=step.n_frames, pieces=self.edges.starts)
                blends.append(known[step])
                if known[step].score.score > least:
                    break
            else:
                tried = _Tried(plan, tuple(blends))
                better = plan.by not in best or (tried.score, tried.n_frames) < (least, best[plan.by].n_frames)
                if tried.n_frames <= n_frames and better:
                    best[plan.by] = tried
        return best

    def _joined(self, tried: "_Tried", known: tuple[Option, ...], options: MakeOptions) -> Connection:
        """The connection as one motion, with clips before and after it as far as they can be played."""
        maker, plan = self.transitions.maker, tried.plan
        pool, lead = maker.pool, round(options.lead_secs / maker.pool.frame_time)
        rough = MakeOptions(lead_secs=0.0, clean_feet=False)
        made = [maker.finish(one, options=rough) for one in tried.blends]
        begins = [plan.start, *(step.target + 1 for step in plan.steps)]
        ends = [*(step.source for step in plan.steps), plan.stop + 1]
        first, last = self._frame(plan.start), self._frame(plan.stop)
        before = min(lead, plan.start - self.edges.clip_start(plan.start))
        after = min(lead, self.edges.clip_stop(plan.stop) - plan.stop - 1)
        stops = []
        for begin, end in zip(begins, ends, strict=True):
            clip = pool.clip_of(end - 1 if end > begin else begin - 1)
            stops.append(Stop(clip, begin - int(pool.starts[clip]), end - int(pool.starts[clip])))
        stops[0] = Stop(stops[0].clip, stops[0].start - before, stops[0].stop)
        stops[-1] = Stop(stops[-1].clip, stops[-1].start, stops[-1].stop + after)
        chain = join_transitions(maker, stops, made, options=options, before=before, after=after)
        stop = chain.motion.n_frames - after
        secs = tried.n_frames * pool.frame_time
        return Connection(plan.by, chain, first, last, before, stop, secs, known)


def _left_out(
    bank: Bank, pool: Pool, known: Mapping[int, Sequence[NotPlayed]] | None = None
) -> dict[int, Sequence[NotPlayed]]:
    """What cannot be played of clips, by their numbers in the pool: jumps of the root, T-poses, missing capture.

    `known` is what a graph has found already, by the clips' ids.
    """
    numbers, found, known = {int(clip_id): n for n, clip_id in enumerate(pool.clip_ids)}, {}, known or {}
    for clip in bank.clips():
        if clip.id in numbers and clip.notes:
            step = Rates.of(clip.n_frames, frame_time=clip.frame_time, rate_hz=1.0 / pool.frame_time).step
            found[numbers[clip.id]] = known[clip.id] if clip.id in known else not_played(bank, clip.id, step)
    return found


def _known(built: BuiltGraph, rate_hz: float) -> dict[int, Sequence[NotPlayed]]:
    """What a graph leaves out of clips, by their ids; nothing if its frames are not those of this rate."""
    if abs(built.settings.rate_hz - rate_hz) > 1e-6:
        return {}
    digests = {int(built.features.clip_ids[n]): built.features.digests[n] for n in built.numbers}
    return {clip_id: built.left_out[digest] for clip_id, digest in digests.items() if digest in built.left_out}


def _breaks(pool: Pool, left_out: Mapping[int, Sequence[NotPlayed]]) -> list[int]:
    """The frames of the pool before which nothing is played on: each that cannot be played is a piece of its own."""
    found = []
    for clip, spans in left_out.items():
        low, high = (int(pool.starts[clip + n]) for n in (0, 1))
        found += [min(low + frame, high) for one in spans for frame in range(one.start, one.stop + 1)]
    return found


@dataclass(frozen=True, eq=False)
class _Tried:
    """A plan whose blends have been made."""

    plan: Plan
    blends: tuple[Blended, ...]

    @property
    def score(self) -> float:
        return max((one.score.score for one in self.blends), default=0.0)

    @property
    def n_frames(self) -> int:
        """Frames from the start to the goal."""
        at, total = self.plan.start, 0
        for step, blend in zip(self.plan.steps, self.blends, strict=True):
            total += step.source - at + blend.poses.n_frames - 1
            at = step.target
        return total + self.plan.stop - at


def open_connector(
    bank: Bank, *, secs: float = 1.0, graph: str | None = None, message: Callable[[str], None] | None = None
) -> Connector:
    """What connects frames of a bank: the table of transitions of `secs`, and a graph, the one built last by default.

    Without a graph there are transitions only.
    """
    return Connector.of(open_transitions(bank, secs=secs, message=message), graph=graph, message=message)


def connect(
    bank: Bank,
    source: str,
    target: str | None = None,
    within: float = 3.0,
    *,
    label: str | None = None,
    secs: float = 1.0,
    graph: str | None = None,
    message: Callable[[str], None] | None = None,
    **options: Any,
) -> Connection:
    """The best connection from a frame (CLIP:FRAME) to another, or into a label, within so many seconds.

    >>> made = connect(bank, "walk_01:120", "sit_03:45", within=3.0)     # doctest: +SKIP
    >>> made.by, made.secs, made.score, made.motion     # doctest: +SKIP
    """
    opened = open_connector(bank, secs=secs, graph=graph, message=message)
    return opened.connect(source, target, within, label=label, **options)
