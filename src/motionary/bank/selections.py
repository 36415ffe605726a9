"""Selections as the bank holds them: named sets of matches, read back as they were kept."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from motionary.arguments import check_is
from motionary.bank.addresses import ALL_RANKS, SELECTION_SIGN, Ranks, parse_selection
from motionary.bank.clips import check_name
from motionary.bank.pairs import digest_of_pairs, unpack_pairs
from motionary.bank.sqlite_errors import BankConnection
from motionary.bank.stored_json import stored
from motionary.errors import BankError, NotInBankError, UsageError
from motionary.motion import SEARCH_RATE_HZ, Rates, Segment

if TYPE_CHECKING:
    from motionary.alignment import Match


@dataclass(frozen=True, slots=True)
class Selection:
    """What is known of a selection but its matches."""

    id: int
    name: str
    query: Segment | None  # None: the query was no segment of the bank. Its clip may be gone
    method: str
    asked: Mapping[str, Any] = field(hash=False, repr=False)  # what else the query said, as JSON
    kept_at: str
    n_matches: int

    @property
    def rate_hz(self) -> float:
        """Of the frames that the alignments of its matches pair."""
        return float(self.asked.get("rate_hz", SEARCH_RATE_HZ))

    def as_json(self) -> dict[str, Any]:
        query = self.query
        return {
            "selection": self.name,
            "matches": self.n_matches,
            "method": self.method,
            "query": None if query is None else {"id": query.clip_id, "start": query.start, "stop": query.stop},
            "asked": dict(self.asked),
            "kept_at": self.kept_at,
        }


def check_selection_name(name: str) -> None:
    """Raise unless this can be a selection's name."""
    check_name(name, "a selection's name")
    if ":" in name or name.startswith(SELECTION_SIGN):
        raise UsageError(
            f"{name!r} cannot be a selection's name: it begins with {SELECTION_SIGN} or contains a colon, "
            f"which have another meaning in {SELECTION_SIGN}NAME:RANKS"
        )


def all_selections(connection: BankConnection) -> list[Selection]:
    """All selections, by name."""
    return _selections(connection, "1 ORDER BY name", [])


def find_selection(connection: BankConnection, name: str) -> Selection:
    """The selection of that name; raises, and says which there are."""
    check_is(name, str, called="the name of a selection", meant="a string")
    found = _selections(connection, "name = ?", [name.removeprefix(SELECTION_SIGN)])
    if not found:
        raise NotInBankError(f"{connection.path}: no selection {name!r}. {_which_there_are(connection)}")
    return found[0]


def selected_matches(
    connection: BankConnection, selection: Selection, ranks: Ranks = ALL_RANKS, *, n_query: int | None
) -> "dict[int, Match]":
    """The matches of a selection by rank: all, or those with `ranks`; the query has `n_query` frames (None: the length
    of the first match tells)."""
    rows = connection.execute(
        """SELECT rank, clip_id, start, stop, distance, mean, unit, method, scale, mirrored, tier, pairs, digest,
                  clips.name AS clip, recordings.n_frames, recordings.frame_time
             FROM matches JOIN alignments ON alignments.id = alignment_id JOIN clips ON clips.id = clip_id
             JOIN recordings ON recordings.id = recording_id
            WHERE selection_id = ? ORDER BY rank""",
        (selection.id,),
    ).fetchall()
    rows = [row for row in rows if row["rank"] in ranks]
    _check_found(selection, ranks, {row["rank"] for row in rows})
    if n_query is None:
        n_query = _n_query_of(rows[0], selection.rate_hz) if rows else 0
    return {row["rank"]: _match(connection, row, n_query, selection.rate_hz) for row in rows}


def selected_segments(connection: BankConnection, text: str) -> list[Segment] | None:
    """The segments of `@NAME` or `@NAME:RANKS`, by rank; None for text that is none of these.

    Where no selection has that name, a clip may have it, sign and all.
    """
    if not text.startswith(SELECTION_SIGN):
        return None
    name = text.removeprefix(SELECTION_SIGN).partition(":")[0]
    known = connection.execute("SELECT 1 FROM selections WHERE name = ?", (name,)).fetchone()
    clips_name = "SELECT 1 FROM clips WHERE name IN (?, ?)"
    if not known and connection.execute(clips_name, (text, text.rpartition(":")[0])).fetchone():
        return None
    name, ranks = parse_selection(text)
    selection = find_selection(connection, name)
    segments = ranked_segments(connection, selection, ranks)
    if not segments:
        there = list(ranked_segments(connection, selection))
        held = f"it holds ranks {_spans(there)}" if there else "it holds none any more"
        raise NotInBankError(f"{text}: no matches; {held}")
    return list(segments.values())


def ranked_segments(connection: BankConnection, selection: Selection, ranks: Ranks = ALL_RANKS) -> dict[int, Segment]:
    """The segments of a selection's matches, by rank: all, or those with `ranks`."""
    rows = connection.execute(
        "SELECT rank, clip_id, start, stop FROM matches WHERE selection_id = ? ORDER BY rank", (selection.id,)
    )
    segments = {rank: Segment(*segment) for rank, *segment in rows if rank in ranks}
    _check_found(selection, ranks, segments)
    return segments


def _selections(connection: BankConnection, condition: str, parameters: list[object]) -> list[Selection]:
    rows = connection.execute(
        f"""SELECT *, (SELECT count(*) FROM matches WHERE selection_id = selections.id) AS n_matches
              FROM selections WHERE {condition}""",
        parameters,
    )
    return [
        Selection(
            row["id"],
            row["name"],
            None
            if row["query_clip_id"] is None
            else Segment(row["query_clip_id"], row["query_start"], row["query_stop"]),
            row["method"],
            stored(row["asked"], dict, connection.path, f"what selection {row['name']!r} was asked for"),
            row["kept_at"],
            row["n_matches"],
        )
        for row in rows
    ]


def _match(connection: BankConnection, row: Any, n_query: int, rate_hz: float) -> "Match":
    from motionary.alignment import Alignment, Match  # compiles: only who reads matches needs it

    packed = bytes(row["pairs"])
    if digest_of_pairs(packed) != row["digest"]:
        raise BankError(
            f"{connection.path}: is damaged: the alignment of a match does not match its checksum; "
            f"`motionary check {connection.path}` shows details"
        )
    return Match(
        Segment(row["clip_id"], row["start"], row["stop"]),
        row["distance"],
        row["mean"],
        row["unit"],
        row["method"],
        Alignment(unpack_pairs(packed)),
        n_query,
        rate_hz,
        row["scale"],
        bool(row["mirrored"]),
        row["tier"],
        row["clip"],
    )


def _n_query_of(row: Any, rate_hz: float) -> int:
    """How many frames the query has, as the length and scale of a match tell."""
    rates = Rates.of(row["n_frames"], frame_time=row["frame_time"], rate_hz=rate_hz)
    start, stop = rates.search_segment(row["start"], row["stop"])
    return max(round((stop - start) / row["scale"]) if row["scale"] > 0 else stop - start, 1)


def _check_found(selection: Selection, ranks: Ranks, found: Collection[int]) -> None:
    """Raise if a rank that was named by itself is not there; an interval may have gaps."""
    missing = sorted(set(ranks.single) - set(found))
    if missing:
        raise NotInBankError(
            f"selection {selection.name!r} has no match {missing[0]}; it may have been removed. "
            f"`motionary selection show BANK {selection.name}` lists its matches"
        )


def _which_there_are(connection: BankConnection) -> str:
    names = [row["name"] for row in connection.execute("SELECT name FROM selections ORDER BY name")]
    if not names:
        return "There are none yet; `motionary search … --keep NAME` makes one"
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"There are {', '.join(names[:12])}{more}" if len(names) > 1 else f"There is only {names[0]}"


def _spans(ranks: list[int]) -> str:
    """1-4, 6, 9-12."""
    held = set(ranks)
    firsts, lasts = ([rank for rank in ranks if rank + side not in held] for side in (-1, 1))
    spans = [str(first) if first == last else f"{first}-{last}" for first, last in zip(firsts, lasts, strict=True)]
    return ", ".join(spans[:8]) + (" …" if len(spans) > 8 else "")
