"""Transitions at run time: from one frame to another, by the table's recipe or by another method."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from motionary.errors import UsageError
from motionary.motion import Motion, Placement
from motionary.plants import Cleaner, Plant, build_cleaner
from motionary.transition.blending import (
    FALL_ERROR,
    N_COUNTED,
    N_FLIGHT,
    N_PIECES,
    N_PLANTED,
    PLANT_ERROR,
    SCORE,
    ZMP_ERROR,
    run_blends,
)
from motionary.transition.body_lanes import BodyLanes, body_lanes
from motionary.transition.joining import Poses, join_poses, onto, pool_poses
from motionary.transition.methods import inertialise
from motionary.transition.pool import Pool
from motionary.transition.room import Room, make_room
from motionary.transition.searching import NONE, align_all, unaligned
from motionary.transition.sources import SourceWindows, gather_windows
from motionary.transition.table import TransitionTable
from motionary.transition.windows import N_TIMES, moments

Method = Literal["table", "direct", "inertial", "dead"]
MOST_CARRIED = 10_000  # windows that go beyond their clips, whose nearest representatives are remembered
METHODS: tuple[Method, ...] = ("table", "direct", "inertial", "dead")


@dataclass(frozen=True)
class Frame:
    """A frame of a clip in the pool, counted from the clip's first."""

    clip: int  # the clip's number in the pool
    frame: int


@dataclass(frozen=True)
class TransitionScore:
    """What a transition's score is made of, metres; counts are frames of the blend."""

    plant_error: float
    zmp_error: float
    fall_error: float
    n_planted: int  # frames of heels and balls, one by one
    n_balanced: int  # frames with a zero-moment point
    n_flight: int

    @property
    def score(self) -> float:
        return self.plant_error + self.zmp_error + self.fall_error


@dataclass(frozen=True, eq=False)
class Transition:
    """A motion from a source into a target: the source's before, the blend, the target's after."""

    motion: Motion  # feet cleaned up, unless that was not asked for
    raw: Motion  # before the clean-up
    start: int  # the blend is frames [start, stop) of the motion; start is the source's frame, stop − 1 the target's
    stop: int
    method: Method
    source: Frame
    target: Frame
    intermediaries: tuple[Frame, ...]
    score: TransitionScore
    threshold: float  # up to which a score counts as natural
    plants: tuple[Plant, ...]  # of the whole motion
    blend: Poses  # where the pool has the source, above its floor
    rise: float  # metres by which the target stands higher than in its clip, the source's floor and its own at 0
    zmp_errors: np.ndarray  # (stop − start,) metres; NaN where there is no zero-moment point
    remarks: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether the score is that of natural motion."""
        return self.score.score <= self.threshold

    @property
    def secs(self) -> float:
        """How long the blend takes: its sources are aligned in time, so that it is not always as asked for."""
        return (self.stop - 1 - self.start) * self.motion.frame_time


@dataclass(frozen=True)
class MakeOptions:
    """How a transition is made.

    `candidates`: so many recipes are tried, and the best is taken: the nearest representatives' own first. `variants`:
    so many more, with other members of the intermediaries' clusters, drawn by `seed`. `lead_secs`: so much of the
    source before, and of the target after. `clean_feet`: hold planted feet at their places.
    """

    method: Method = "table"
    candidates: int = 3
    variants: int = 0
    seed: int = 0
    lead_secs: float = 1.0
    clean_feet: bool = True

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UsageError(f"no method is called {self.method!r}; there are {', '.join(METHODS)}")
        if self.candidates < 1 or self.variants < 0:
            raise UsageError("a transition needs at least 1 candidate, and 0 or more variants")
        if not 0.0 <= self.lead_secs <= 60.0:
            raise UsageError(f"{self.lead_secs:g} s before and after are not possible; ask for 0 to 60")


@dataclass(frozen=True, eq=False)
class Maker:
    """Makes transitions of one duration from one pool; prepared once, used often."""

    pool: Pool
    table: TransitionTable
    judged: float | None = None  # the threshold that people's verdicts ask for, if there are enough

    @cached_property
    def lanes(self) -> BodyLanes:
        return body_lanes(self.pool.body, self.pool.frame_time)

    @cached_property
    def cleaner(self) -> Cleaner:
        return build_cleaner(self.pool.body)

    def cleaned(self, motion: Motion, plants: Sequence[Plant]) -> Motion:
        """The motion with its planted feet at their places."""
        local = motion.rotations
        root, local = self.cleaner.clean_arrays(motion.root_positions, local, plants, frame_time=motion.frame_time)
        return replace(motion, root_positions=root, rotations=local)

    @property
    def n_frames(self) -> int:
        return self.table.clusters.n_frames

    @cached_property
    def threshold(self) -> float:
        """The score up to which a transition is called good: by verdicts, else by the library's own motion."""
        return self.table.threshold if self.judged is None else self.judged

    @cached_property
    def nearest(self) -> np.ndarray:
        """The representatives (T, R) of each frame's window, nearest first; −1: the window is not complete."""
        distances = self.table.clusters.distances
        ranked = np.argsort(distances.astype(np.float32), axis=1).astype(np.int16)
        ranked[~np.isfinite(distances[:, 0])] = -1
        return ranked

    def make(self, source: Frame, target: Frame, *, options: MakeOptions | None = None) -> Transition:
        """A transition from a frame to another, in the table's time, more or less."""
        options = options or MakeOptions()
        pool, n = self.pool, self.n_frames
        from_frame, to_frame = self._checked(source), self._checked(target)
        firsts = [(source.clip, from_frame), (target.clip, to_frame - n)]
        levels = [pool.level(source.clip, from_frame), pool.level(target.clip, to_frame)]
        if options.method == "inertial":
            windows, room, n_poses = self._inertial(firsts, levels)
            used: tuple[tuple[int, int], ...] = ()
        elif options.method == "table":
            windows, room, n_poses, used = self._by_table(firsts, levels, options)
        else:
            windows, room, n_poses = self._two_way(firsts, levels, dead=options.method == "dead")
            used = ()
        carried = [bool(windows.carried[0]) and options.method != "dead", bool(windows.carried[1])]
        poses = _left_in(room, n_poses, self.lanes)
        blend = onto(poses, Placement(), pool.placement(from_frame), rise=levels[0])
        whole, start = self._whole(blend, source, target, options.lead_secs, levels[0] - levels[1])
        floor = float(pool.floors[source.clip])
        raw = whole.motion(pool, floor=floor)
        plants = whole.plants(floor=floor)
        cleaned = self.cleaned(raw, plants) if options.clean_feet else raw
        return Transition(
            cleaned,
            raw,
            start,
            start + n_poses,
            options.method,
            source,
            target,
            tuple(Frame(clip, first - int(pool.starts[clip])) for clip, first in used),
            _score_in(room),
            self.threshold,
            plants,
            blend,
            levels[0] - levels[1],
            room.curve[:n_poses].copy(),
            _remarks(pool, source, target, carried, levels[1] - levels[0]),
        )

    def _checked(self, frame: Frame) -> int:
        """The frame, counted through the pool."""
        pool = self.pool
        if not 0 <= frame.clip < pool.n_clips:
            raise UsageError(f"the pool has {pool.n_clips} clips, not a clip {frame.clip}")
        length = int(pool.starts[frame.clip + 1] - pool.starts[frame.clip])
        if not 0 <= frame.frame < length:
            raise UsageError(
                f"{pool.names[frame.clip]} has no frame {frame.frame} at {1.0 / pool.frame_time:g} Hz; "
                f"it has frames 0 to {length - 1}"
            )
        return int(pool.starts[frame.clip]) + frame.frame

    def representative(self, clip: int, first: int, *, rank: int = 0) -> int:
        """The representative nearest to the window from a frame, which may go beyond its clip."""
        n_ranks = self.nearest.shape[1]
        if 0 <= first < self.pool.n_frames and self.nearest[first, 0] >= 0 and self.pool.clip_of(first) == clip:
            return int(self.nearest[first, min(rank, n_ranks - 1)])
        return int(self._ranked(clip, first)[min(rank, n_ranks - 1)])

    def _ranked(self, clip: int, first: int) -> np.ndarray:
        """The representatives (R,), nearest first, to a window that is carried on."""
        known = self._carried
        if (clip, first) not in known:
            window = gather_windows(self.pool, self.lanes, np.array([(clip, first)]), self.n_frames)
            away = np.sum((self._centred_representatives - _centred(window, self.n_frames)[0]) ** 2, axis=1)
            if len(known) >= MOST_CARRIED:
                known.clear()
            known[clip, first] = np.argsort(away, kind="stable")
        return known[clip, first]

    @cached_property
    def _carried(self) -> dict[tuple[int, int], np.ndarray]:
        return {}

    @cached_property
    def _centred_representatives(self) -> np.ndarray:
        firsts = self.table.clusters.representatives
        places = np.array([(self.pool.clip_of(int(first)), int(first)) for first in firsts])
        return _centred(gather_windows(self.pool, self.lanes, places, self.n_frames), self.n_frames)

    def _by_table(
        self, firsts: list[tuple[int, int]], levels: list[float], options: MakeOptions
    ) -> tuple[SourceWindows, Room, int, tuple[tuple[int, int], ...]]:
        chains = self._candidates(firsts, options)
        numbers = {place: 2 + n for n, place in enumerate(dict.fromkeys(place for chain in chains for place in chain))}
        below = levels + [self.pool.level(clip, first + self.n_frames // 2) for clip, first in numbers]
        places = np.array([*firsts, *numbers])
        windows = gather_windows(self.pool, self.lanes, places, self.n_frames, levels=below)
        recipes = np.full((len(chains), 4), NONE, dtype=np.int64)
        for row, chain in zip(recipes, chains, strict=True):
            row[: 2 + len(chain)] = [0, *(numbers[place] for place in chain), 1]
        aligned = align_all(windows, 0)
        room, best = self._room(), np.full(2, np.inf)
        out = np.zeros((len(recipes), 8))
        out[:, 0] = np.arange(len(recipes))
        n_poses = run_blends(self.lanes, windows, *aligned, recipes, True, best, out, room)
        winner = int(best[1]) if np.isfinite(best[1]) else 0
        if winner != len(recipes) - 1:
            n_poses = run_blends(
                self.lanes, windows, *aligned, recipes[winner : winner + 1], False, best, out[:1], room
            )
        return windows, room, n_poses, chains[winner]

    def _candidates(self, firsts: list[tuple[int, int]], options: MakeOptions) -> list[tuple[tuple[int, int], ...]]:
        """Chains of intermediaries to try, as (clip, first frame): the table's recipe first, then the direct blend."""
        (from_clip, from_first), (to_clip, to_first) = firsts
        clusters = self.table.clusters
        chains: dict[tuple[tuple[int, int], ...], None] = {}
        ranks = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (1, 2), (2, 2)]
        for a, b in ranks:
            i = self.representative(from_clip, from_first, rank=a)
            j = self.representative(to_clip, to_first, rank=b)
            used = self.table.recipe(i, j).intermediaries
            chains[tuple(self._place(int(clusters.representatives[k])) for k in used)] = None
            if len(chains) == 1:
                first_used = used
            if (a, b) == (0, 0) and options.candidates > 1:
                chains[()] = None
            if len(chains) >= options.candidates:
                break
        rng = np.random.default_rng(options.seed)
        for _ in range(options.variants):
            drawn = [clusters.windows[rng.choice(np.flatnonzero(clusters.members == k))] for k in first_used]
            chains[tuple(self._place(int(first)) for first in drawn)] = None
        return list(chains)

    def _place(self, first: int) -> tuple[int, int]:
        return self.pool.clip_of(first), first

    def _two_way(
        self, firsts: list[tuple[int, int]], levels: list[float], *, dead: bool
    ) -> tuple[SourceWindows, Room, int]:
        windows = gather_windows(
            self.pool, self.lanes, np.array(firsts), self.n_frames, ends=[dead, False], levels=levels
        )
        room, out = self._room(), np.zeros((1, 8))
        recipe = np.array([[0, 1, NONE, NONE]])
        n_poses = run_blends(self.lanes, windows, *unaligned(windows), recipe, False, np.full(2, np.inf), out, room)
        return windows, room, n_poses

    def _inertial(self, firsts: list[tuple[int, int]], levels: list[float]) -> tuple[SourceWindows, Room, int]:
        windows = gather_windows(self.pool, self.lanes, np.array(firsts), self.n_frames, levels=levels)
        room = self._room()
        return windows, room, inertialise(self.lanes, windows, *unaligned(windows), room)

    def _room(self) -> Room:
        return make_room(self.n_frames + 1, self.lanes)

    def _whole(self, blend: Poses, source: Frame, target: Frame, lead_secs: float, rise: float) -> tuple[Poses, int]:
        """The blend with the source before and the target after, in the source's place; and where the blend starts.

        The target comes higher by `rise`: it goes on on the source's ground.
        """
        pool, lead = self.pool, round(lead_secs / self.pool.frame_time)
        from_frame, to_frame = self._checked(source), self._checked(target)
        begin = max(from_frame - lead, int(pool.starts[source.clip]))
        end = min(to_frame + 1 + lead, int(pool.starts[target.clip + 1]))
        parts = [blend]
        if begin < from_frame:
            parts.insert(0, pool_poses(pool, source.clip, begin, from_frame))
        if to_frame + 1 < end:
            after = pool_poses(pool, target.clip, to_frame + 1, end)
            parts.append(onto(after, pool.placement(to_frame), blend.end, rise=rise))
        return join_poses(parts), from_frame - begin


def _left_in(room: Room, n: int, lanes: BodyLanes) -> Poses:
    """The poses and plants that a blend left in its room."""
    turned = np.empty((n, len(lanes.order), 4))
    turned[:, lanes.order] = np.moveaxis(room.local[:, :, :n], 2, 0)
    pieces = int(room.parts[N_PIECES])
    return Poses(
        room.roots[:, :n].T.copy(),
        room.facing[:n].copy(),
        turned,
        room.piece_points[:pieces].copy(),
        room.piece_spans[:pieces].copy(),
        room.piece_places[:pieces].copy(),
    )


def _score_in(room: Room) -> TransitionScore:
    parts: Sequence[Any] = room.parts.tolist()
    return TransitionScore(
        parts[PLANT_ERROR],
        parts[ZMP_ERROR] if np.isfinite(parts[SCORE]) else float("inf"),
        parts[FALL_ERROR],
        int(parts[N_PLANTED]),
        int(parts[N_COUNTED]),
        int(parts[N_FLIGHT]),
    )


def _centred(windows: SourceWindows, n_frames: int) -> np.ndarray:
    """Windows as points (R, D), like `window_shapes`, from what kernels take."""
    times = moments(n_frames)
    middle = n_frames // 2
    turn = windows.facing[:, times] - windows.facing[:, middle, None]
    bodies = windows.shapes[:, times].reshape(len(turn), N_TIMES, -1, 3)
    away = windows.roots[:, :, times] - windows.roots[:, :, middle, None]
    back = -windows.facing[:, middle, None]
    x = np.cos(back) * away[:, 0] + np.sin(back) * away[:, 2]
    z = np.cos(back) * away[:, 2] - np.sin(back) * away[:, 0]
    cosine, sine = np.cos(turn)[..., None], np.sin(turn)[..., None]
    shape = np.stack(
        [
            cosine * bodies[..., 0] + sine * bodies[..., 2] + x[..., None],
            bodies[..., 1],
            cosine * bodies[..., 2] - sine * bodies[..., 0] + z[..., None],
        ],
        axis=-1,
    )
    return np.asarray(shape.reshape(len(turn), -1) / np.sqrt(N_TIMES))


def _remarks(pool: Pool, source: Frame, target: Frame, carried: list[bool], higher: float) -> tuple[str, ...]:
    remarks = []
    if carried[0]:
        remarks.append(
            f"{pool.names[source.clip]} ends soon after {source.frame * pool.frame_time:.2f} s: "
            "it is carried on by its last velocities"
        )
    if carried[1]:
        remarks.append(
            f"{pool.names[target.clip]} begins shortly before {target.frame * pool.frame_time:.2f} s: "
            "what comes before is made up from its first velocities"
        )
    if higher:
        remarks.append(
            f"{pool.names[target.clip]} stands {100 * abs(higher):.0f} cm {'above' if higher > 0 else 'below'} "
            f"the ground of {pool.names[source.clip]}: it goes on on the latter"
        )
    return tuple(remarks)
