"""Heat strips: how much every part of a body is off over time, one block for each match."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from motionary.arguments import some
from motionary.errors import UsageError
from motionary.features import SEARCH_RATE_HZ
from motionary.picture.drawing import Drawing
from motionary.picture.primitives import Polygon, Polyline, Primitive, Text, mix
from motionary.picture.raster import text_width
from motionary.picture.rows import how_near
from motionary.search import Explanation

NAMES, GAP, TOP, ROW, HEAD, FOOT = 128.0, 14.0, 44.0, 11.0, 34.0, 24.0
WIDEST, NARROWEST = 260.0, 120.0  # of a block
MOST_COLUMNS, N_SHADES = 60, 32
INK, FAINT, GRID = "#39424e", "#8b949e", "#dde1e6"
COOL, WARM = ("#f4f5f7", "#8fb8dc", "#2d6ca8"), ("#f4f5f7", "#f6b26b", "#c0392b", "#4a0d1f")


@dataclass(frozen=True, eq=False)
class HeatBlock:
    """What is shown of one match: values of J parts in each of p frames, below 0 for what speaks for it."""

    title: str
    note: str
    values: np.ndarray  # (p, J)
    duration_secs: float


def heat_strip(
    blocks: Sequence[HeatBlock], parts: Sequence[str], *, unit: str = "", title: str = "", width: int = 1200
) -> Drawing:
    """Blocks side by side, in as many lines as they need: parts from top to bottom, time from left to right.

    All share one scale of colours, up to the largest value of all.
    """
    if not blocks or any(block.values.shape[1:] != (len(parts),) for block in blocks):
        raise UsageError("a heat strip needs at least one match, and a value of every part in every frame")
    limit = max(float(np.abs(block.values).max(initial=0.0)) for block in blocks) or 1.0
    per_line = max(1, min(len(blocks), int((width - NAMES) / (NARROWEST + GAP))))
    n_lines = -(-len(blocks) // per_line)
    per_line = -(-len(blocks) // n_lines)  # lines of about the same length
    block_width = min(WIDEST, (width - NAMES) / per_line - GAP)
    height = len(parts) * ROW
    shapes: list[Primitive] = [Text(GAP, 22.0, title, 14.0, INK, bold=True)]
    shapes += _legend(width, limit, unit, negative=any((block.values < 0).any() for block in blocks))
    for i, block in enumerate(blocks):
        line, place = divmod(i, per_line)
        top = TOP + line * (HEAD + height + FOOT) + HEAD
        if place == 0:
            for j, part in enumerate(parts):
                shapes.append(Text(NAMES - 8.0, top + (j + 0.8) * ROW, part, 10.0, INK, "end"))
        left = NAMES + place * (block_width + GAP)
        shapes += _block(block, left=left, top=top, width=block_width, limit=limit)
    page_height = TOP + n_lines * (HEAD + height + FOOT) + GAP
    return Drawing(width, int(np.ceil(page_height)), tuple(shapes), title=title)


def show_heat(
    explanations: Sequence[Explanation], path: Path | str, *, title: str = "", ranks: Sequence[int] | None = None
) -> None:
    """Draw where the distances of matches come from: how far each joint is off over time, a block for each match.

    Matches are numbered from 1, unless `ranks` are given. A file that is there is replaced.
    """
    explanations = some(explanations, Explanation, called="explanations", meant="what explain_matches gives")
    parts = tuple(dict.fromkeys(part for found in explanations for part in found.parts))
    blocks = []
    for rank, found in zip(ranks or range(1, len(explanations) + 1), explanations, strict=True):
        match, values = found.match, np.zeros((len(found.sizes), len(parts)))
        values[:, [parts.index(part) for part in found.parts]] = found.sizes
        name = match.clip or f"#{match.segment.clip_id}"
        note = how_near(match) + (", mirrored" if match.mirrored else "")
        blocks.append(
            HeatBlock(
                f"{rank}  {name}:{match.segment.start}-{match.segment.stop}",
                note,
                values,
                len(values) / SEARCH_RATE_HZ,
            )
        )
    unit = "" if not explanations or explanations[0].match.method == "lcss" else explanations[0].match.unit
    heat_strip(blocks, parts, unit=unit, title=title).save(path)


def _block(block: HeatBlock, *, left: float, top: float, width: float, limit: float) -> list[Primitive]:
    n_parts = block.values.shape[1]
    right, bottom = left + width, top + n_parts * ROW
    shapes: list[Primitive] = [
        Text(left, top - 19.0, _shortened(block.title, width), 11.0, INK, bold=True),
        Text(left, top - 6.0, block.note, 10.0, FAINT),
        _box(left, top, right, bottom, _colour(0.0)),
    ]
    columns = _columns(block.values)  # (columns, J)
    shades = np.round(columns / limit * N_SHADES).astype(int)
    xs = np.linspace(left, right, len(columns) + 1)
    for j in range(n_parts):
        # Neighbours of the same shade are one shape
        edges = np.flatnonzero(np.diff(shades[:, j], prepend=np.nan, append=np.nan) != 0)
        for start, stop in pairwise(edges.tolist()):
            if shades[start, j] != 0:
                colour = _colour(shades[start, j] / N_SHADES)
                shapes.append(_box(xs[start], top + j * ROW, xs[stop], top + (j + 1) * ROW, colour))
    for j in range(n_parts + 1):
        shapes.append(Polyline(np.array([[left, top + j * ROW], [right, top + j * ROW]]), "#ffffff", 1.0))
    shapes += [
        Polyline(np.array([[left, bottom], [right, bottom]]), GRID, 1.0),
        Text(left, bottom + 13.0, "0", 10.0, FAINT),
        Text(right, bottom + 13.0, f"{block.duration_secs:.2f} s", 10.0, FAINT, "end"),
    ]
    return shapes


def _columns(values: np.ndarray) -> np.ndarray:
    """The values in at most as many columns as can be told apart; of several frames, their mean."""
    n_columns = min(MOST_COLUMNS, len(values))
    firsts = np.arange(n_columns) * len(values) // n_columns
    return np.asarray(np.add.reduceat(values, firsts, axis=0) / np.diff([*firsts, len(values)])[:, None])


def _legend(width: int, limit: float, unit: str, *, negative: bool) -> list[Primitive]:
    """The scale of colours, at the top right."""
    lowest = -1.0 if negative else 0.0
    right, left, y = width - GAP - 60.0, width - GAP - 260.0, 14.0
    xs = np.linspace(left, right, 41)
    colours = [_colour(value) for value in np.linspace(lowest, 1.0, 40)]
    shapes: list[Primitive] = [
        _box(x, y, after, y + 10.0, colour) for x, after, colour in zip(xs[:-1], xs[1:], colours, strict=True)
    ]
    return [
        *shapes,
        Text(left - 6.0, y + 9.0, f"{lowest * limit:.3g}", 10.0, FAINT, "end"),
        Text(right + 6.0, y + 9.0, f"{limit:.3g} {unit}".rstrip(), 10.0, FAINT),
    ]


def _colour(value: float) -> str:
    """Of a value from −1 to 1: pale at 0, red above, blue below."""
    stops = WARM if value >= 0 else COOL
    place = min(abs(value), 1.0) * (len(stops) - 1)
    stop = min(int(place), len(stops) - 2)
    return mix(stops[stop], stops[stop + 1], place - stop)


def _shortened(text: str, width: float) -> str:
    """The text, its middle left out where it is wider than the block."""
    shown, keep = text, len(text) - 1
    while keep > 3 and text_width(shown, 11.0, bold=True) > width:
        shown = text[: keep - keep // 2] + "…" + text[len(text) - keep // 2 :]
        keep -= 1
    return shown


def _box(x0: float, y0: float, x1: float, y1: float, fill: str) -> Polygon:
    return Polygon(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]), fill)
