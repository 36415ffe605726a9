"""What recurs in a library, and what surprises there, as rows of a picture."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from motionary.errors import SkeletonError, UsageError
from motionary.motion import Segment
from motionary.picture.aligned import mirrored
from motionary.picture.scene import Row
from motionary.search import Match, Motif, Surprise

MOST_EACH = 4  # segments of one motif

RowOf = Callable[[Segment], Row]


def motif_rows(motifs: Sequence[Motif], row_of: RowOf, *, n_rows: int) -> tuple[list[Row], list[str]]:
    """Each motif by its seed and some of its matches, at even steps to the farthest, mirrored as they were found.

    At most `n_rows`, but two for each motif that is drawn; and remarks on what is not as it was asked for.
    """
    if not motifs:
        raise UsageError("there are no motifs to draw")
    shown = motifs[: max(1, n_rows // 2)]
    each = min(MOST_EACH, max(2, n_rows // len(shown)))
    rows, remarks = [], _left_out(len(shown), len(motifs), "motifs")
    for number, motif in enumerate(shown, start=1):
        last = len(motif.matches) - 1
        picked = [round(last * step / (each - 1)) for step in range(each)] if last >= each else range(last + 1)
        for rank in picked:
            told = f"{len(motif.matches)} times" if rank == 0 else _how_near(motif.matches[rank])
            rows.append(_row(row_of, motif.matches[rank], f"{number}, {told}", remarks))
    return rows, remarks


def surprise_rows(surprises: Sequence[Surprise], row_of: RowOf, *, n_rows: int) -> tuple[list[Row], list[str]]:
    """Each surprise above what is nearest to it, mirrored if it was found so; and remarks."""
    if not surprises:
        raise UsageError("there are no surprises to draw")
    shown = surprises[: max(1, n_rows // 2)]
    rows, remarks = [], _left_out(len(shown), len(surprises), "surprises")
    for number, surprise in enumerate(shown, start=1):
        rows.append(_row(row_of, surprise.match, f"{number}, odd" if surprise.odd else f"{number}", remarks))
        rows.append(_row(row_of, surprise.nearest, f"nearest, {_how_near(surprise.nearest)}", remarks))
    return rows, remarks


def _row(row_of: RowOf, match: Match, told: str, remarks: list[str]) -> Row:
    row = row_of(match.segment)
    if match.mirrored:
        try:
            row = mirrored(row)
        except SkeletonError as error:
            remarks.append(f"{row.title} is drawn as it is, though it was found mirrored: {error}")
    return replace(row, title=f"{told}: {row.title}")


def _how_near(match: Match) -> str:
    return f"{match.mean:.1f} {match.unit}".rstrip()


def _left_out(n_shown: int, n_all: int, what: str) -> list[str]:
    return [f"the first {n_shown} of {n_all} {what} are drawn"] if n_shown < n_all else []
