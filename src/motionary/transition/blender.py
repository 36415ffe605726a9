"""Blends at run time: from one frame to another, by the table's recipe or by another method."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionary.errors import UsageError
from motionary.transition.blended import Blended, poses_in, score_in
from motionary.transition.blending import PLANT_ERROR, SCORE, run_blends
from motionary.transition.body_lanes import BodyLanes, body_lanes
from motionary.transition.methods import inertialise
from motionary.transition.pool import Pool
from motionary.transition.requests import Frame, MakeOptions, Way
from motionary.transition.searching import NONE, align_all, unaligned
from motionary.transition.sources import SourceWindows, gather_windows
from motionary.transition.standing import sources_stand
from motionary.transition.table import TransitionTable
from motionary.transition.windows import N_TIMES, moments
from motionary.transition.workspace import Workspace, make_workspace

MOST_WORKSPACES = 4
REACH = 0.1  # metres: of feet that are farther from their plants, on the average, clean-up cannot hold many
MOST_CARRIED = 10_000  # windows that go beyond their clips, whose nearest representatives are remembered
RANKS = ((1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (1, 2), (2, 2))  # of source and target, in this order
DIRECT = np.array([[0, 1, NONE, NONE]])
Place = tuple[int, int]  # a clip and a frame of the pool


@dataclass(frozen=True, eq=False)
class Blender:
    """Blends frames of a pool into one another, in the table's time; prepared once, used often."""

    pool: Pool
    table: TransitionTable

    @cached_property
    def lanes(self) -> BodyLanes:
        return body_lanes(self.pool.body, self.pool.frame_time)

    @property
    def n_frames(self) -> int:
        return self.table.clusters.n_frames

    @cached_property
    def nearest(self) -> np.ndarray:
        """The representatives (T, R) of each frame's window, nearest first; −1: the window is not complete."""
        distances = self.table.clusters.distances
        ranked = np.argsort(distances.astype(np.float32), axis=1).astype(np.int16)
        ranked[~np.isfinite(distances[:, 0])] = -1
        return ranked

    def blend(
        self,
        source: Frame,
        target: Frame,
        *,
        options: MakeOptions | None = None,
        n_frames: int | None = None,
        pieces: np.ndarray | None = None,
    ) -> Blended:
        """The blend from a frame to another; in so many frames, if the method needs no table, or in the table's time.

        Clips are used only as far as the piece goes that a frame is in; `pieces` says where these begin, and where the
        last one ends. Without them, clips are whole. The feet are as they were blended, and nothing is before or after
        it.
        """
        options = options or MakeOptions()
        if n_frames is None:
            n_frames = self.n_frames
        elif options.method == "table" and n_frames != self.n_frames:
            raise UsageError(f"this table is one of transitions of {self.n_frames} frames, not of {n_frames}")
        pool = self.pool
        from_frame, to_frame = self.checked(source), self.checked(target)
        firsts = [(source.clip, from_frame), (target.clip, to_frame - n_frames)]
        pieces = pool.starts if pieces is None else pieces
        within = _pieces_of(pieces, [from_frame, to_frame])
        levels = [pool.level(source.clip, from_frame), pool.level(target.clip, to_frame)]
        used: tuple[Place, ...] = ()
        way: Way = "recipe" if options.method == "table" else options.method
        recipe = DIRECT
        if options.method == "table":
            windows, work, n_poses, recipe, used, way = self._by_table(firsts, levels, options, pieces, within)
        else:
            ends = [options.method == "dead", False]
            windows = gather_windows(
                pool, self.lanes, np.array(firsts), n_frames, ends=ends, levels=levels, within=within
            )
            work = self._workspace(n_frames)
            if options.method == "inertial":
                n_poses = inertialise(self.lanes, windows, *unaligned(2, n_frames + 1), work)
            else:
                n_poses = self._run(windows, unaligned(2, n_frames + 1), DIRECT, np.inf, work)[0]
        carried = (bool(windows.carried[0]) and way != "dead", bool(windows.carried[1]))
        stands = np.zeros(n_poses, dtype=np.bool_)
        sources_stand(windows, recipe[0], int(np.count_nonzero(recipe >= 0)), n_poses, work, stands)
        blended = Blended(
            options.method,
            way,
            source,
            target,
            tuple(Frame(clip, first - int(pool.starts[clip])) for clip, first in used),
            score_in(work),
            poses_in(work, stands, self.lanes, source=pool.placement(from_frame), rise=levels[0]),
            work.curve[:n_poses].copy(),
            levels[0] - levels[1],
            carried,
        )
        self._give_back(work)
        return blended

    def direct_scores(
        self, sources: Sequence[Frame], targets: Sequence[Frame], pairs: Sequence[tuple[int, int]], *, best_only: bool
    ) -> np.ndarray:
        """Scores (N,) of the direct blends side by side of pairs of a source and a target, by their numbers.

        With `best_only` those are infinite that are certain to be worse than the best.
        """
        froms, tos = sorted({i for i, _ in pairs}), sorted({j for _, j in pairs})
        frames = [sources[i] for i in froms] + [targets[j] for j in tos]
        at = [self.checked(frame) for frame in frames]
        back = [0] * len(froms) + [self.n_frames] * len(tos)
        firsts = [(frame.clip, f - by) for frame, f, by in zip(frames, at, back, strict=True)]
        levels = [self.pool.level(frame.clip, f) for frame, f in zip(frames, at, strict=True)]
        windows = gather_windows(self.pool, self.lanes, np.array(firsts), self.n_frames, levels=levels)
        numbers = {i: k for k, i in enumerate(froms)}, {j: len(froms) + k for k, j in enumerate(tos)}
        recipes = np.array([[numbers[0][i], numbers[1][j], NONE, NONE] for i, j in pairs])
        out, best, work = np.zeros((len(pairs), 8)), np.full((1, 2), np.inf), self._workspace(self.n_frames)
        out[:, SCORE] = np.arange(len(pairs))
        run_blends(self.lanes, windows, *unaligned(len(at), self.n_frames + 1), recipes, best_only, best, out, work)
        self._give_back(work)
        return out[:, SCORE]

    def checked(self, frame: Frame) -> int:
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

    def representatives(self, clips: np.ndarray, firsts: np.ndarray) -> np.ndarray:
        """The representatives (N,) nearest to the windows from frames; the windows may go beyond these clips."""
        pool, n = self.pool, self.n_frames
        own, lengths = firsts - pool.starts[clips], np.diff(pool.starts)[clips]
        found = np.full(len(firsts), -1, dtype=np.int64)
        inside = (own >= 0) & (own < lengths)
        found[inside] = self.nearest[firsts[inside], 0]
        beyond = np.flatnonzero(found < 0)
        slots = np.where(own < 0, own + n, own - lengths + 2 * n)[beyond]
        found[beyond] = self._kinds_beyond[clips[beyond], slots]
        for number in beyond[found[beyond] < 0].tolist():
            kind = int(self.ranked(int(clips[number]), int(firsts[number]))[0])
            slot = int(own[number]) + (n if own[number] < 0 else 2 * n - int(lengths[number]))
            found[number] = self._kinds_beyond[clips[number], slot] = kind
        return found

    @cached_property
    def _kinds_beyond(self) -> np.ndarray:
        """The nearest representatives (C, 2 n) of windows from up to n frames before a clip, and of those from its
        last n frames; −1: not known yet."""
        return np.full((self.pool.n_clips, 2 * self.n_frames), -1, dtype=np.int64)

    def ranked(self, clip: int, first: int) -> np.ndarray:
        """The representatives (R,), nearest first, to the window from a frame."""
        starts = self.pool.starts
        if starts[clip] <= first < starts[clip + 1] and self.nearest[first, 0] >= 0:
            return np.asarray(self.nearest[first])
        return self._ranked(clip, first)

    def _ranked(self, clip: int, first: int) -> np.ndarray:
        """The same of a window that is carried on."""
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
        places = np.array(self._representative_places)
        return _centred(gather_windows(self.pool, self.lanes, places, self.n_frames), self.n_frames)

    def _by_table(
        self, firsts: list[Place], levels: list[float], options: MakeOptions, pieces: np.ndarray, within: np.ndarray
    ) -> tuple[SourceWindows, Workspace, int, np.ndarray, tuple[Place, ...], Way]:
        """The best of several blends: its windows, its workspace, its frames, recipe (1, 4) of windows, intermediaries
        and way.

        With more than one candidate the direct blend side by side and dead blending are tried, too, just as the
        methods of these names have them. A blend whose feet are out of the clean-up's reach is taken only if all are.
        """
        chains = [
            chain
            for chain in self._candidates(firsts, options)
            if all(first + self.n_frames < _pieces_of(pieces, [first])[0, 1] for _, first in chain)
        ] or [()]
        numbers = {place: 2 + n for n, place in enumerate(dict.fromkeys(place for chain in chains for place in chain))}
        below = levels + [self.pool.level(clip, first + self.n_frames // 2) for clip, first in numbers]
        places, ended = [*firsts, *numbers], len(firsts) + len(numbers)
        several = options.candidates > 1
        if several:
            places, below = [*places, firsts[0]], [*below, levels[0]]
        spans = np.concatenate([within, _pieces_of(pieces, [first for _, first in places[2:]])])
        ends = [number == ended for number in range(len(places))]
        windows = gather_windows(
            self.pool, self.lanes, np.array(places), self.n_frames, ends=ends, levels=below, within=spans
        )
        aligned = align_all(windows, 0, n=ended)
        tries: list[tuple[Way, tuple[Place, ...], int, tuple[np.ndarray, np.ndarray]]]
        tries = [("recipe" if chain else "direct", chain, 0, aligned) for chain in chains]
        if several:
            sides = unaligned(len(places), self.n_frames + 1)
            tries += [("direct", (), 0, sides), ("dead", (), ended, sides)]
        best, spare = self._workspace(self.n_frames), self._workspace(self.n_frames)
        least, n_best, held, (way, used, *_), taken = np.inf, 0, False, tries[0], DIRECT
        for n, (kind, chain, begin, alignment) in enumerate(tries):
            recipe = np.array([[begin, *(numbers[place] for place in chain), 1, *(NONE,) * (2 - len(chain))]])
            n_poses, score, can_hold = self._run(windows, alignment, recipe, least if held else np.inf, spare)
            if n == 0 or (not can_hold, score) < (not held, least):
                best, spare = spare, best
                least, n_best, held, taken, used, way = score, n_poses, can_hold, recipe, chain, kind
        self._give_back(spare)
        return windows, best, n_best, taken, used, way

    def _run(
        self,
        windows: SourceWindows,
        alignment: tuple[np.ndarray, np.ndarray],
        recipe: np.ndarray,
        least: float,
        work: Workspace,
    ) -> tuple[int, float, bool]:
        """The frames and score of one blend, and whether clean-up can hold its feet.

        It is given up, and its score infinite, if that must be above `least`.
        """
        out, best = np.zeros((1, 8)), np.array([[least, 0.0]])
        n_poses = run_blends(self.lanes, windows, *alignment, recipe, bool(least < np.inf), best, out, work)
        return int(n_poses), float(out[0, SCORE]), bool(out[0, PLANT_ERROR] <= REACH)

    def _candidates(self, firsts: list[Place], options: MakeOptions) -> list[tuple[Place, ...]]:
        """Chains of intermediaries to try: the table's best recipe, the direct blend, the table's other recipes for the
        same representatives, then the best for the next nearest."""
        clusters, places = self.table.clusters, self._representative_places
        outs, ins = (self.ranked(clip, first)[:3].tolist() for clip, first in firsts)
        own = [recipe.intermediaries for recipe in self.table.recipes(outs[0], ins[0])]
        first_used = own[0]
        chains = {tuple(places[k] for k in first_used): None}
        if options.candidates > 1:
            chains[()] = None
        for used in own:
            if len(chains) < options.candidates:
                chains[tuple(places[k] for k in used)] = None
        for a, b in RANKS:
            if len(chains) >= options.candidates:
                break
            used = self.table.recipes(outs[min(a, len(outs) - 1)], ins[min(b, len(ins) - 1)])[0].intermediaries
            chains[tuple(places[k] for k in used)] = None
        if options.variants:
            rng = np.random.default_rng(options.seed)
            for _ in range(options.variants):
                drawn = [clusters.windows[rng.choice(np.flatnonzero(clusters.members == k))] for k in first_used]
                chains[tuple((self.pool.clip_of(int(first)), int(first)) for first in drawn)] = None
        return list(chains)

    @cached_property
    def _representative_places(self) -> list[Place]:
        return [(self.pool.clip_of(first), first) for first in self.table.clusters.representatives.tolist()]

    def _workspace(self, n_frames: int) -> Workspace:
        """Workspace for a blend, used again: making it anew takes as long as a third of a blend."""
        if n_frames == self.n_frames:
            try:
                return self._workspaces.pop()
            except IndexError:
                pass
        return make_workspace(n_frames + 1, self.lanes)

    def _give_back(self, work: Workspace) -> None:
        if work.clock.shape[1] == self.n_frames + 1 and len(self._workspaces) < MOST_WORKSPACES:
            self._workspaces.append(work)

    @cached_property
    def _workspaces(self) -> list[Workspace]:
        return []


def _pieces_of(pieces: np.ndarray, frames: Sequence[int]) -> np.ndarray:
    """The pieces [start, stop) (N, 2) that frames are in."""
    after = np.searchsorted(pieces, frames, side="right")
    return np.stack([pieces[after - 1], pieces[after]], axis=1)


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
