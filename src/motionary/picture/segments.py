"""Segments of a bank, and what a search found among them, as pictures."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from motionary.bank import Bank, SpreadLabel
from motionary.errors import MappingError, NotInBankError, SkeletonError, UsageError
from motionary.features import SEARCH_RATE_HZ, Rates
from motionary.motion import Motion, Segment
from motionary.picture.aligned import aligned, mirrored
from motionary.picture.camera import View
from motionary.picture.layout import Spread
from motionary.picture.match_graphs import match_graph_drawing
from motionary.picture.recurring import motif_rows, surprise_rows
from motionary.picture.scene import Row
from motionary.picture.show import show_rows
from motionary.plants import contacts_of_plants, detect_plants
from motionary.rig import BodyMap, body_of
from motionary.search import (
    Example,
    LibrarySegment,
    Match,
    Motif,
    PoseSearchResult,
    SearchResult,
    Surprise,
    WebSearchResult,
    kept_matches,
)

MOST_SPREAD_ROWS = 24
MOST_EACH = 5  # segments of one label


def show_segments(
    bank: Bank,
    segments: Sequence[str | Segment],
    path: Path | str,
    *,
    n_poses: int | None = None,
    width: int | None = None,
    view: View = "auto",
    spread: Spread = "auto",
) -> tuple[str, ...]:
    """Draw segments below each other: a film strip (.png, .svg) or an animation (.gif), as `path` ends.

    A file that is there is replaced. What comes back are remarks on what is not as it was asked for.
    """
    rows = [row_of(bank, segment) for segment in bank.segments_of(segments)]
    return show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread=spread)


def show_matches(
    bank: Bank,
    result: SearchResult | PoseSearchResult,
    path: Path | str,
    *,
    n_matches: int | None = 23,
    n_poses: int | None = None,
    width: int | None = None,
    view: View = "auto",
) -> tuple[str, ...]:
    """Draw what was looked for and, below it, its matches, nearest first: what goes together in time stands together.

    Mirrored matches are drawn in a mirror, so that they look like the query. What comes back are remarks on what is
    not as it was asked for.
    """
    example = result.query.example
    drawn = [
        _match_row(bank, match, rank, n_query=example.n_frames)
        for rank, match in enumerate(result.matches[:n_matches], start=1)
    ]
    rows = [_example_row(bank, example), *(row for row, _ in drawn)]
    remarks = [remark for _, remark in drawn if remark]
    return (*remarks, *show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread="time"))


def show_match_graph(
    bank: Bank, result: WebSearchResult, path: Path | str, *, n_matches: int | None = 23
) -> tuple[str, ...]:
    """Draw the match graph of the nearest matches: .png or .svg, as `path` ends; what comes back are remarks."""
    segments = {node: match.segment for node, match in reversed(list(zip(result.nodes, result.matches, strict=True)))}

    def row(node: int) -> Row:
        return row_of(bank, segments[node]) if node else _example_row(bank, result.example)

    drawing = match_graph_drawing(result.graph, row, nodes=result.nodes[:n_matches])
    drawing.save(path)
    return drawing.notes


def show_selection(
    bank: Bank,
    name: str,
    path: Path | str,
    *,
    ranks: Iterable[int | str] | None = None,
    n_matches: int | None = 23,
    n_poses: int | None = None,
    width: int | None = None,
    view: View = "auto",
) -> tuple[str, ...]:
    """Draw the matches of a selection, with their ranks, as `show_matches` does.

    Above them is their query, if that is a segment of the bank. What comes back are remarks on what is not as it was
    asked for.
    """
    query, matches = bank.selection(name).query, kept_matches(bank, name, ranks)
    if not matches:
        raise NotInBankError(f"selection {name!r} holds no such matches; there is nothing to draw")
    rows, remarks = [], []
    if query is None or not bank.with_ids([query.clip_id]):
        first = next(iter(matches.values()))
        n_query = max(round(_n_search_frames(bank, first.segment) / first.scale), 1)
        remarks.append("the query is no segment of the bank, and not drawn")
    else:
        n_query = _n_search_frames(bank, query)
        rows.append(row_of(bank, query))
    for rank, match in list(matches.items())[:n_matches]:
        row, remark = _match_row(bank, match, rank, n_query=n_query)
        rows.append(row)
        remarks += [remark] if remark else []
    if n_matches is not None and len(matches) > n_matches:
        remarks.append(f"the first {n_matches} of {len(matches)} matches are drawn; name ranks to see others")
    return (*remarks, *show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread="time"))


def show_motifs(
    bank: Bank,
    motifs: Sequence[Motif],
    path: Path | str,
    *,
    n_rows: int = 24,
    n_poses: int | None = None,
    width: int | None = None,
    view: View = "auto",
) -> tuple[str, ...]:
    """Draw motifs below each other, each by its seed and some of its matches, at even steps to the farthest.

    Mirrored ones are drawn in a mirror. What comes back are remarks on what is not as it was asked for.
    """
    rows, remarks = motif_rows(motifs, partial(row_of, bank), n_rows=n_rows)
    return (*remarks, *show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread="time"))


def show_surprises(
    bank: Bank,
    surprises: Sequence[Surprise],
    path: Path | str,
    *,
    n_rows: int = 24,
    n_poses: int | None = None,
    width: int | None = None,
    view: View = "auto",
) -> tuple[str, ...]:
    """Draw surprises, each above what is nearest to it; what comes back are remarks, as of `show_motifs`."""
    rows, remarks = surprise_rows(surprises, partial(row_of, bank), n_rows=n_rows)
    return (*remarks, *show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread="time"))


def row_of(bank: Bank, segment: Segment) -> Row:
    """A segment as a row of a film strip, with its name, times and foot contacts."""
    clip = bank.clip(segment.clip_id)
    motion = bank.motion(segment)
    try:
        body_map: BodyMap | None = bank.body_map(clip)
    except MappingError:
        body_map = None
    name = clip.name if segment == clip.segment else f"{clip.name}:{segment.start}-{segment.stop}"
    return Row(
        motion,
        title=name,
        start_secs=segment.start * clip.frame_time,
        first_frame=segment.start,
        contacts=_contacts(bank, segment, motion, body_map),
        body_map=body_map,
    )


def _match_row(bank: Bank, match: Match, rank: int, *, n_query: int) -> tuple[Row, str]:
    """A match on the clock of its query, mirrored if it is, and a remark if it cannot be; with rank and nearness."""
    row, remark = row_of(bank, match.segment), ""
    if match.mirrored:
        try:
            row = mirrored(row)
        except SkeletonError as error:
            remark = f"{row.title} is drawn as it is, though it was found mirrored: {error}"
    row = replace(row, title=f"{rank}: {row.title}, {_how_near(match)}")
    n_match = round(match.scale * n_query)
    return aligned(row, match.alignment, n_query=n_query, n_match=n_match, rate_hz=SEARCH_RATE_HZ), remark


def _n_search_frames(bank: Bank, segment: Segment) -> int:
    clip = bank.clip(segment.clip_id)
    start, stop = Rates.of(clip.n_frames, frame_time=clip.frame_time).search_segment(segment.start, segment.stop)
    return stop - start


def _how_near(match: Match) -> str:
    if match.method == "lcss":
        return f"{1.0 - match.distance:.0%} in common"
    return f"{match.mean:.1f} {match.unit}".rstrip()


def _example_row(bank: Bank, example: Example) -> Row:
    """What a query shows; segments of the bank as they are, whatever else on the reference skeleton."""
    if isinstance(example, LibrarySegment):
        return row_of(bank, example.segment)
    motion = example.poses(example.n_frames)
    return Row(motion, title=example.name, contacts=detect_plants(motion, body_of(motion.skeleton)).foot_contacts)


def _contacts(bank: Bank, segment: Segment, motion: Motion, body_map: BodyMap | None) -> np.ndarray | None:
    """Which foot stands when: from the stored plants, else seen from the motion; None for what has no feet."""
    clip = bank.clip(segment.clip_id)
    plants = bank.plants(clip)
    if plants:
        return contacts_of_plants(plants, clip.n_frames)[segment.start : segment.stop]
    if body_map is None:
        return None
    try:
        body = body_of(motion.skeleton, body_map=body_map, motion=motion)
    except MappingError:
        return None
    return detect_plants(motion, body).foot_contacts


def show_spread(
    bank: Bank,
    labels: Sequence[SpreadLabel],
    path: Path | str,
    *,
    n_rows: int = MOST_SPREAD_ROWS,
    n_poses: int | None = None,
    width: int | None = None,
    view: View = "auto",
) -> tuple[str, ...]:
    """Draw spread labels: of each name up to five, at even steps from the strongest to the weakest, below the example
    that the strongest was found by. What comes back are remarks on what is not as it was asked for.
    """
    names = list(dict.fromkeys(one.name for one in labels))
    if not names:
        raise UsageError(f"there are no spread labels to be drawn; {path} was not written")
    each = min(MOST_EACH, max(1, n_rows // len(names) - 1))
    rows = [row for name in names for row in _spread_rows(bank, [one for one in labels if one.name == name], each)]
    remarks = show_rows(rows[:n_rows], path, n_poses=n_poses, width=width, view=view, spread="time")
    drawn = f"{path}: {len(rows[:n_rows])} rows for {len(labels)} spread labels"
    return (*remarks, drawn if len(rows) <= n_rows else f"{drawn}, and not all names; choose some to see the others")


def _spread_rows(bank: Bank, labels: list[SpreadLabel], n_drawn: int) -> list[Row]:
    ranked = sorted(labels, key=lambda one: (-one.strength, one.segment))
    chosen = [
        ranked[n] for n in np.unique(np.linspace(0, len(ranked) - 1, min(n_drawn, len(ranked))).round().astype(int))
    ]
    rows = [_titled(bank, one, f"{one.name} {one.strength:.2f}") for one in chosen]
    if chosen[0].example:
        example = row_of(bank, bank.segment(chosen[0].example))
        rows.insert(0, replace(example, title=f"{chosen[0].name}, an example: {example.title}"))
    return rows


def _titled(bank: Bank, one: SpreadLabel, title: str) -> Row:
    row = row_of(bank, one.segment)
    return replace(row, title=f"{title}: {row.title}")
