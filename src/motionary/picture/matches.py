"""What a search found, as pictures: the query above its matches, all on the query's clock."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from motionary.arguments import check_is
from motionary.bank import Bank, check_is_bank
from motionary.errors import NotInBankError, UsageError
from motionary.picture.aligned import aligned
from motionary.picture.camera import View
from motionary.picture.rows import as_tall_as, highlighted, how_near, row_of, row_of_example, row_of_match
from motionary.picture.scene import Row
from motionary.picture.show import show_rows
from motionary.search import (
    LibrarySegment,
    Match,
    PoseSearchResult,
    PropertyResult,
    Query,
    SearchResult,
    WebSearchResult,
    compared_joints,
    kept_matches,
)

MANY_ROWS = (7, 14)  # above which a picture has a second and a third column


def show_matches(
    bank: Bank,
    result: SearchResult | PoseSearchResult | WebSearchResult | PropertyResult,
    path: Path | str,
    *,
    ranks: Sequence[int] | None = None,
    n_matches: int | None = 23,
    n_poses: int | None = None,
    width: int | None = None,
    view: View = "auto",
) -> tuple[str, ...]:
    """Draw what was looked for and, below it, its matches, nearest first: what goes together in time stands together.

    Of all matches, or of those with these ranks (from 1), the first `n_matches` are drawn. Mirrored ones are drawn in
    a mirror, so that they look like the query; joints that were chosen have a colour of their own. The `view` is what
    shows the query best, unless it is given. Segments found by their properties have no query above them, and say
    their properties. What comes back are remarks on what is not as it was asked for.
    """
    check_is_bank(bank)
    meant = "what search_bank gives, its query and matches together"
    check_is(result, SearchResult, PoseSearchResult, WebSearchResult, PropertyResult, called="result", meant=meant)
    found = dict(enumerate(result.matches, start=1))
    unknown = [rank for rank in ranks or () if rank not in found]
    if unknown:
        raise UsageError(f"there is no match {unknown[0]}; the search found {len(found)}, numbered from 1")
    chosen = {rank: found[rank] for rank in list(found if ranks is None else ranks)[:n_matches]}
    rows, remarks = _match_rows(bank, chosen)
    if isinstance(result, PropertyResult):
        if not rows:
            raise UsageError("no segment was found, so there is nothing to draw")
        rows = [
            replace(row, note=result.properties_of(match)) for row, match in zip(rows, chosen.values(), strict=True)
        ]
        return show_rows(rows, path, n_poses=n_poses, width=width, view=view, n_columns=columns_of(rows))
    query = result.query
    joints = compared_joints(query.descriptions, query.joints) if isinstance(query, Query) else ()
    shown = row_of_example(bank, query.example)
    if not isinstance(query.example, LibrarySegment):
        shown = as_tall_as(shown, rows)
    rows = [highlighted(row, joints) for row in (_as_query(shown), *rows)]
    return (
        *remarks,
        *show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread="time", n_columns=columns_of(rows)),
    )


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
    check_is_bank(bank)
    selection, matches = bank.selection(name), kept_matches(bank, name, ranks)
    if not matches:
        raise NotInBankError(f"selection {name!r} has no such matches, so there is nothing to draw")
    query, head, remarks = selection.query, [], []
    if query is None or not bank.with_ids([query.clip_id]):
        remarks.append("the query is not drawn, because it is not a segment of the bank")
    else:
        head.append(_as_query(row_of(bank, query)))
    rows, more = _match_rows(bank, dict(list(matches.items())[:n_matches]))
    remarks += more
    if n_matches is not None and len(matches) > n_matches:
        remarks.append(f"drew the first {n_matches} of {len(matches)} matches; name ranks to draw others")
    joints = compared_joints(selection.asked.get("descriptions", ()), selection.asked.get("joints", ()))
    top, *others = (*head, *rows)
    rows = [highlighted(row, joints) for row in (replace(top, sets_view=True), *others)]
    return (
        *remarks,
        *show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread="time", n_columns=columns_of(rows)),
    )


def columns_of(rows: Sequence[Row]) -> int:
    """Columns of a picture: many matches make a contact sheet, which fits a screen."""
    return 1 + sum(len(rows) > n for n in MANY_ROWS)


def _as_query(row: Row) -> Row:
    """The row that the others are compared with, by eye too: all are seen as it is seen best."""
    return replace(row, title=f"query: {row.title}", sets_view=True)


def _match_rows(bank: Bank, matches: Mapping[int, Match]) -> tuple[list[Row], list[str]]:
    """Matches by their ranks, each on the clock of its query, and remarks."""
    rows: list[Row] = []
    remarks: list[str] = []
    for rank, match in matches.items():
        row = row_of_match(bank, match, remarks)
        row = replace(row, title=f"{rank}: {row.title}", note=how_near(match))
        rows.append(aligned(row, match))
    return rows, remarks
