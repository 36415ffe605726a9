"""From a query's curve in a pose space to its matches."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from motionary.alignment import Alignment, Match, Result, suggested_cut
from motionary.errors import UsageError
from motionary.motion import Segment
from motionary.search.gist_rows import CENTIMETRES, gist_rows
from motionary.search.wpca.characteristic import characteristic_frames, characters
from motionary.search.wpca.index import PoseIndex
from motionary.search.wpca.linear import PoseRows
from motionary.search.wpca.moments import Clock, Moment
from motionary.search.wpca.paths import Paths, paths_through
from motionary.search.wpca.query import PoseQuery
from motionary.search.wpca.ranking import apart, degenerate, scores
from motionary.search.wpca.remeasuring import gist_means
from motionary.search.wpca.runs import DIP_SECS, dips_of_runs, frames_of

METHOD = "wpca"
DEGREES = 180.0 / np.pi
SIDES = {"no": (False,), "only": (True,), "both": (False, True)}


@dataclass(frozen=True, eq=False, repr=False)
class PoseSearchResult(Result):
    """The matches of a query, best first, and what was looked at."""

    query: PoseQuery
    matches: tuple[Match, ...]
    frames: tuple[int, ...]  # the characteristic ones, at the search rate, counted from the query's start
    n_warped: int  # paths that were ranked
    n_clips: int

    @property
    def character(self) -> tuple[Moment, ...]:
        """The characteristic poses in the query's clip, as `character` takes them."""
        clock = Clock.of(self.query.example)
        return tuple(clock.moment(frame) for frame in self.frames)

    @property
    def suggested_cut(self) -> int | None:
        """How many matches to keep, if their distances tell."""
        return suggested_cut([match.distance for match in self.matches])


def search_poses(index: PoseIndex, query: PoseQuery, *, clip_ids: Collection[int] | None = None) -> PoseSearchResult:
    """The matches of the query in all clips of the index (or in those with `clip_ids`), nearest first."""
    rows = query.example.rows(query.example.n_frames)
    sides = [_Side.of(index, query, rows, mirrored=mirrored) for mirrored in _sides(index, query)]
    allowed = None if clip_ids is None else index.allowed(clip_ids)
    paths = [_paths(index, side, allowed) for side in sides]
    found = _Found.of(index, sides, paths)
    matches = tuple(_match(index, sides[found.sides[n]], paths, found, n) for n in _taken(index, query, found))
    n_clips = len(index.clip_ids) if clip_ids is None else int(np.isin(index.clip_ids, list(clip_ids)).sum())
    return PoseSearchResult(query, matches, sides[0].frames, sum(len(some.means) for some in paths), n_clips)


@dataclass(frozen=True, eq=False)
class _Side:
    """A query as it is or left for right, as a curve in the space."""

    query: PoseQuery
    rows: Mapping[str, np.ndarray]  # its features
    curve: np.ndarray  # (n, D)
    scales: np.ndarray  # (D,)
    frames: tuple[int, ...]  # the characteristic ones
    mirrored: bool

    @classmethod
    def of(cls, index: PoseIndex, query: PoseQuery, rows: Mapping[str, np.ndarray], *, mirrored: bool) -> "_Side":
        n = max(query.dimensions, query.warp_dimensions)
        if n > index.n_components:
            raise UsageError(f"{n} dimensions were requested, but this library has only {index.n_components}")
        scales = index.space.scales(query.scaling, n)
        scales[: len(query.factors)] *= query.factors[:n]
        poses = PoseRows(rows["angles"], rows["root"])
        curve = index.space.project(poses.mirrored() if mirrored else poses, n=n)
        frames = tuple(sorted(set(query.frames)))
        if not frames:
            near = query.dimensions
            scaled, sample = (array[:, :near] * scales[:near] for array in (curve, index.sample))
            values = characters(scaled, way=query.pose, sample=sample)
            n_poses = query.n_poses_at(index.rate_hz)
            frames = tuple(
                characteristic_frames(values, n_poses=n_poses, least_apart=max(1, len(curve) // (2 * n_poses)))
            )
        return cls(query, rows, curve, scales, frames, mirrored)

    @property
    def warp_scales(self) -> np.ndarray:
        return self.scales[: self.query.warp_dimensions]

    @property
    def warped_curve(self) -> np.ndarray:
        """What warps compare: the leading dimensions (n, d), scaled."""
        return self.curve[:, : self.query.warp_dimensions] * self.warp_scales


def _sides(index: PoseIndex, query: PoseQuery) -> tuple[bool, ...]:
    """Whether the query is looked for as it is (False), left for right (True), or both.

    In a space in which one hand counts, its mirror image would be the query's other hand: that is not asked for.
    """
    if query.mirrored == "no" or not index.space.is_one_sided:
        return SIDES[query.mirrored]
    if query.mirrored == "only":
        raise UsageError(
            "in this pose space one side of the body counts more than the other, so a mirror image would match "
            "the other side of "
            "the query. Search without mirror images, or train a space for the other side"
        )
    return (False,)


def _paths(index: PoseIndex, side: _Side, allowed: np.ndarray | None) -> Paths:
    """All paths through the anchors of one side of the query."""
    query, near = side.query, side.query.dimensions
    gap, dip = frames_of(query.gap_secs, index.rate_hz), frames_of(DIP_SECS, index.rate_hz)
    anchors = []
    for frame in side.frames:
        rows, distances = index.tree.nearest(
            side.curve[frame, :near],
            k=query.neighbours,
            scales=side.scales[:near],
            allowed=allowed,
            slack=query.slack,
        )
        anchors.append(rows[dips_of_runs(rows, distances, index.clips_of(rows), gap=gap, dip=dip)])
    clips = [index.clips_of(rows) for rows in anchors]
    return paths_through(
        side.warped_curve,
        side.frames,
        index.coordinates,
        anchors,
        scales=side.warp_scales,
        lows=[index.firsts[numbers] for numbers in clips],
        highs=[index.firsts[numbers + 1] for numbers in clips],
    )


@dataclass(frozen=True, eq=False)
class _Found:
    """The paths of all sides together, with what ranks them."""

    sides: np.ndarray  # (N,)
    numbers: np.ndarray  # (N,) of the way on its side
    clips: np.ndarray  # (N,) numbers of clips
    starts: np.ndarray  # (N,) rows
    stops: np.ndarray
    scores: np.ndarray
    bad: np.ndarray  # (N,) bool: no match, however near

    @classmethod
    def of(cls, index: PoseIndex, sides: list[_Side], paths: list[Paths]) -> "_Found":
        starts = np.concatenate([some.starts for some in paths])
        return cls(
            np.repeat(np.arange(len(paths)), [len(some.means) for some in paths]),
            np.concatenate([np.arange(len(some.means)) for some in paths]),
            index.clips_of(starts),
            starts,
            np.concatenate([some.stops for some in paths]),
            np.concatenate([_scores(index, side, some) for side, some in zip(sides, paths, strict=True)]),
            np.concatenate([degenerate(some) for some in paths]),
        )


def _scores(index: PoseIndex, side: _Side, paths: Paths) -> np.ndarray:
    """The score (N,) of each way: metres of its gist, else radians, lower is better."""
    if not _by_gist(index, side.query):
        return scores(paths, side.query.ranking)
    clips = index.clips_of(paths.starts)
    return gist_means(
        gist_rows(side.rows, mirrored=side.mirrored),
        index.gist,
        paths,
        offsets=index.gist_firsts[clips] - index.firsts[clips],
        weights=index.gist_weights,
    )


def _by_gist(index: PoseIndex, query: PoseQuery) -> bool:
    """Whether matches are measured by their gist."""
    return query.ranking == "gist" and bool(index.gist_weights.any())


def _unit(index: PoseIndex, query: PoseQuery) -> tuple[str, float]:
    """In which unit means are told, and how many of it a score of 1 is."""
    if _by_gist(index, query):
        return "cm", CENTIMETRES
    return "°" if query.scaling == "none" and not query.factors else "", DEGREES


def _taken(index: PoseIndex, query: PoseQuery, found: _Found) -> list[int]:
    """The paths that become matches, best first: the query's own place counts as taken before all others."""
    limit = np.inf if query.within is None else query.within
    good = np.flatnonzero(~found.bad & (found.scores * _unit(index, query)[1] <= limit))
    order = good[np.lexsort((found.starts[good], found.clips[good], found.scores[good]))]
    place = query.example.place
    if query.with_itself or place is None:
        return apart(order, found.clips, found.starts, found.stops, overlap=query.overlap, most=query.k)
    clip = int(np.searchsorted(index.clip_ids, place.clip_id))
    start = int(index.firsts[clip]) + place.start
    clips = np.append(found.clips, clip)
    starts = np.append(found.starts, start)
    stops = np.append(found.stops, start + query.example.n_frames)
    most = None if query.k is None else query.k + 1
    itself = len(found.clips)
    return apart(np.concatenate([[itself], order]), clips, starts, stops, overlap=query.overlap, most=most)[1:]


def _match(index: PoseIndex, side: _Side, paths: list[Paths], found: _Found, number: int) -> Match:
    clip = int(found.clips[number])
    low = int(index.firsts[clip])
    start, stop = int(found.starts[number]), int(found.stops[number])
    score = float(found.scores[number])
    unit, size = _unit(index, side.query)
    return Match(
        Segment(int(index.clip_ids[clip]), *index.rates[clip].clip_segment(start - low, stop - low)),
        score,
        score * size,
        unit,
        METHOD,
        Alignment(paths[found.sides[number]].path(int(found.numbers[number])) - (0, start)),
        len(side.curve),
        index.rate_hz,
        scale=(stop - start) / len(side.curve),
        mirrored=side.mirrored,
    )
