"""What recurs in a library, and what surprises there, as pictures."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from motionary.arguments import some
from motionary.bank import Bank, check_is_bank
from motionary.errors import UsageError
from motionary.picture.camera import View
from motionary.picture.rows import how_near, row_of_match
from motionary.picture.scene import Row
from motionary.picture.show import show_rows
from motionary.search import Match, Motif, Surprise

MOST_EACH = 4  # segments of one motif


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
    """Draw motifs below each other, each by its most typical segment, its seed, and some at even steps to the farthest.

    At most `n_rows`, but two for each motif that is drawn. Mirrored ones are drawn in a mirror. What comes back are
    remarks on what is not as it was asked for.
    """
    check_is_bank(bank)
    motifs = some(motifs, Motif, called="motifs", meant="a Motif")
    if not motifs:
        raise UsageError("there are no motifs to draw")
    shown = motifs[: max(1, n_rows // 2)]
    each = min(MOST_EACH, max(2, n_rows // len(shown)))
    rows, remarks = [], _left_out(len(shown), len(motifs), "motifs")
    for number, motif in enumerate(shown, start=1):
        for i, rank in enumerate(drawn_of(motif, each)):
            row = _row(bank, motif.matches[rank], _of_motif(motif, rank), remarks)
            rows.append(replace(row, heading=_heading(number, motif)) if i == 0 else row)
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
    check_is_bank(bank)
    surprises = some(surprises, Surprise, called="surprises", meant="a Surprise")
    if not surprises:
        raise UsageError("there are no surprises to draw")
    shown = surprises[: max(1, n_rows // 2)]
    rows, remarks = [], _left_out(len(shown), len(surprises), "surprises")
    for number, surprise in enumerate(shown, start=1):
        heading = f"{number}: nothing is nearer than {how_near(surprise.nearest)}"
        row = _row(bank, surprise.match, "odd" if surprise.odd else "", remarks)
        rows.append(replace(row, heading="; ".join((heading, *surprise.odd))))
        rows.append(_row(bank, surprise.nearest, f"its nearest, {how_near(surprise.nearest)}", remarks))
    return (*remarks, *show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread="time"))


def drawn_of(motif: Motif, n_drawn: int) -> list[int]:
    """Which matches of a motif are drawn: the most typical, then the seed, then evenly to the farthest."""
    first = list(dict.fromkeys((motif.medoid, 0)))[:n_drawn]
    others = [rank for rank in range(len(motif.matches)) if rank not in first]
    n_others = min(n_drawn - len(first), len(others))
    return first + [others[(step + 1) * len(others) // n_others - 1] for step in range(n_others)]


def _heading(number: int, motif: Motif) -> str:
    clips = "1 clip" if motif.n_clips == 1 else f"{motif.n_clips} clips"
    return f"{number}: {len(motif.matches)} times in {clips}" + (f"; {motif.commonest}" if motif.labels else "")


def _of_motif(motif: Motif, rank: int) -> str:
    """What a segment is in its motif."""
    near = "the seed" if rank == 0 else f"{how_near(motif.matches[rank])} from the seed"
    return f"most typical, {near}" if rank == motif.medoid else near


def _row(bank: Bank, match: Match, note: str, remarks: list[str]) -> Row:
    return replace(row_of_match(bank, match, remarks), note=note)


def _left_out(n_shown: int, n_all: int, what: str) -> list[str]:
    return [f"the first {n_shown} of {n_all} {what} are drawn"] if n_shown < n_all else []
