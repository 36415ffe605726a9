"""Segments of a bank as pictures: film strips, match graphs, and what carries a spread label."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from motionary.arguments import check_is, integer, some
from motionary.bank import Bank, SpreadLabel, check_is_bank
from motionary.errors import NotInBankError, UsageError
from motionary.motion import Segment
from motionary.picture.camera import View
from motionary.picture.layout import Spread
from motionary.picture.match_graphs import match_graph_drawing
from motionary.picture.matches import columns_of
from motionary.picture.rows import row_of, row_of_example
from motionary.picture.scene import Row
from motionary.picture.show import show_rows
from motionary.rounding import rounded_down
from motionary.search import WebSearchResult

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
    contact_sheet: bool = False,
) -> tuple[str, ...]:
    """Draw segments below each other: a film strip (.png, .svg) or an animation (.gif, .mp4), as `path` ends.

    A `contact_sheet` has several columns if there are many. A file that is there is replaced. What comes back are
    remarks on what is not as it was asked for.
    """
    check_is_bank(bank)
    rows = [row_of(bank, segment) for segment in bank.segments_of(segments)]
    n_columns = columns_of(rows) if contact_sheet else 1
    return show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread=spread, n_columns=n_columns)


def show_match_graph(
    bank: Bank, result: WebSearchResult, path: Path | str, *, n_matches: int | None = 23
) -> tuple[str, ...]:
    """Draw the match graph of the nearest matches (None: of all), with their ranks: .png or .svg, as `path` ends.

    What comes back are remarks.
    """
    check_is_bank(bank)
    check_is(result, WebSearchResult, called="result", meant="what search_web gives")
    if n_matches is not None and integer(n_matches, "n_matches") < 0:
        raise UsageError(f"the number of matches must be at least 0, not {n_matches}")
    ranks = {node: rank for rank, node in reversed(list(enumerate(result.nodes, start=1)))}

    def row(node: int) -> Row:
        if node == 0:
            return row_of_example(bank, result.example)
        found = row_of(bank, result.places[node])
        return replace(found, title=f"{ranks[node]}: {found.title}") if node in ranks else found

    drawing = match_graph_drawing(result.graph, row, nodes=result.nodes[:n_matches])
    drawing.save(path)
    return drawing.notes


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
    """Draw spread labels: of each name up to five, at even steps from the strongest to the weakest, below the examples
    that they were found by. What comes back are remarks on what is not as it was asked for.

    Where there are many names, half of the rows of each are for examples.
    """
    check_is_bank(bank)
    labels = some(labels, SpreadLabel, called="labels", meant="a SpreadLabel")
    names = list(dict.fromkeys(one.name for one in labels))
    if not names:
        raise UsageError(f"there are no spread labels to draw, so {path} was not written")
    each = max(2, n_rows // len(names))
    rows = [row for name in names for row in _spread_rows(bank, [one for one in labels if one.name == name], each)]
    remarks = show_rows(rows[:n_rows], path, n_poses=n_poses, width=width, view=view, spread="time")
    drawn = f"{path}: {len(rows[:n_rows])} rows for {len(labels)} spread labels"
    return (*remarks, drawn if len(rows) <= n_rows else f"{drawn}, and not all names; choose some to see the others")


def _spread_rows(bank: Bank, labels: list[SpreadLabel], n_rows: int) -> list[Row]:
    """Rows for the labels of one name: examples first, the one of the strongest label at the top."""
    ranked = sorted(labels, key=lambda one: (-one.strength, one.segment))
    given = list(dict.fromkeys(one.example for one in ranked if one.example))
    n_drawn = min(MOST_EACH, len(ranked), max(n_rows // 2, n_rows - len(given)))
    examples = _there(bank, given[: n_rows - n_drawn])
    chosen = [ranked[n] for n in np.unique(np.linspace(0, len(ranked) - 1, n_drawn).round().astype(int))]
    return [
        *(replace(example, title=f"{ranked[0].name}, an example: {example.title}") for example in examples),
        *(_titled(bank, one, f"{one.name} {rounded_down(one.strength, 2)}") for one in chosen),
    ]


def _there(bank: Bank, examples: Sequence[str]) -> list[Row]:
    """Rows of the examples whose clips have not been removed since."""
    rows = []
    for example in examples:
        with suppress(NotInBankError):
            rows.append(row_of(bank, bank.segment(example)))
    return rows


def _titled(bank: Bank, one: SpreadLabel, title: str) -> Row:
    row = row_of(bank, one.segment)
    return replace(row, title=f"{title}: {row.title}")
