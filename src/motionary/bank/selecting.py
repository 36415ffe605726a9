"""Keeping selections in a bank, and thinning them out by hand; every change stands in the log and can be undone."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from motionary.bank.addresses import ALL_RANKS, parse_ranks
from motionary.bank.connection import change, now
from motionary.bank.library import Library
from motionary.bank.pairs import digest_of_pairs, pack_pairs
from motionary.bank.selections import (
    Selection,
    all_selections,
    check_selection_name,
    find_selection,
    ranked_segments,
    selected_matches,
)
from motionary.errors import BankError, UsageError
from motionary.motion import Rates, Segment

if TYPE_CHECKING:
    from motionary.alignment import Match

SAME_SHARE = 0.5  # of the longer one's frames that two segments at the same place have in common
_SOME_OF = "IN (SELECT value FROM json_each(?))"


class Selecting(Library):
    """The selections of an open bank. A match keeps its rank whatever is dropped before it."""

    def selections(self) -> list[Selection]:
        """All selections, by name."""
        return all_selections(self.connection)

    def selection(self, name: str) -> Selection:
        """One selection, without its matches."""
        return find_selection(self.connection, name)

    def matches(self, name: str, ranks: Iterable[int | str] | None = None) -> "dict[int, Match]":
        """The matches of a selection by rank: all, or those with `ranks` (numbers, or strings such as "1-5")."""
        selection, n_query = self.selection(name), None
        if selection.query is not None and (clips := self.with_ids([selection.query.clip_id])):
            rates = Rates.of(clips[0].n_frames, frame_time=clips[0].frame_time, rate_hz=selection.rate_hz)
            start, stop = rates.search_segment(selection.query.start, selection.query.stop)
            n_query = stop - start
        chosen = ALL_RANKS if ranks is None else parse_ranks(ranks)
        return selected_matches(self.connection, selection, chosen, n_query=n_query)

    def keep_selection(
        self,
        name: str,
        matches: "Sequence[Match]",
        *,
        query: Segment | None = None,
        method: str = "",
        asked: Mapping[str, Any] | None = None,
        overwrite: bool = False,
    ) -> Selection:
        """Keep matches under a name, ranked as they come; `overwrite` replaces a selection that has it.

        `query` is the segment that they were found by, if it is one of the bank; `asked` what else is to be known.
        """
        if query is not None:
            query = self.segment_of(query)
        facts = (method, json.dumps(dict(asked or {}), ensure_ascii=False, allow_nan=False), now())
        of_query = (None, None, None) if query is None else (query.clip_id, query.start, query.stop)
        with change(self.connection, f"keep selection {name}"):
            self.check_can_keep(name, overwrite=overwrite)
            self._delete(name)
            cursor = self.connection.execute(
                """INSERT INTO selections (name, query_clip_id, query_start, query_stop, method, asked, kept_at)
                   VALUES (?, ?, ?, ?, ?, ?, ?)""",
                (name, *of_query, *facts),
            )
            self._insert_matches(int(cursor.lastrowid or 0), matches, first_rank=1)
        return self.selection(name)

    def check_can_keep(self, name: str, *, overwrite: bool = False) -> None:
        """Raise if no selection can be kept under that name: it is no name, or taken."""
        check_selection_name(name)
        if not overwrite:
            self._check_free(name, "--overwrite replaces it")

    def thin_selection(
        self,
        name: str,
        *,
        drop: Iterable[int | str] | None = None,
        keep: Iterable[int | str] | None = None,
        drop_in: str | None = None,
        keep_in: str | None = None,
    ) -> int:
        """Take matches out: those with ranks in `drop` or not in `keep`; returns how many.

        `drop_in` and `keep_in` name another selection: what lies there (half of its frames, or more), or not there.
        """
        selection = self.selection(name)
        segments = ranked_segments(self.connection, selection)
        doomed: set[int] = set()
        for given, wanted in ((drop, True), (keep, False)):
            if given is not None:
                chosen = ranked_segments(self.connection, selection, parse_ranks(given))
                doomed |= {rank for rank in segments if (rank in chosen) == wanted}
        for other, wanted in ((drop_in, True), (keep_in, False)):
            if other is not None:
                lies_in = _place_finder(ranked_segments(self.connection, self.selection(other)).values())
                doomed |= {rank for rank, segment in segments.items() if lies_in(segment) == wanted}
        with change(self.connection, f"thin out selection {selection.name}"):
            cursor = self.connection.execute(
                f"DELETE FROM matches WHERE selection_id = ? AND rank {_SOME_OF}",
                (selection.id, json.dumps(sorted(doomed))),
            )
        return int(cursor.rowcount)

    def join_selections(self, name: str, others: Sequence[str]) -> int:
        """Add to a selection what others hold and it does not, with the ranks that follow; returns how many.

        Alignments lead to the query, so all must have the same one; distances are as they were found.
        """
        selection = self.selection(name)
        by_rank = self.matches(name)
        held = list(by_rank.values())
        n_held, first_rank = len(held), max(by_rank, default=0) + 1
        for other in map(self.selection, others):
            if other.query != selection.query or other.query is None:
                raise UsageError(
                    f"{other.name!r} has another query than {selection.name!r}, and its alignments refer to "
                    f"it; name both instead of joining them (@{selection.name} @{other.name})"
                )
            lies_in = _place_finder(match.segment for match in held)
            held += [match for match in self.matches(other.name).values() if not lies_in(match.segment)]
        with change(self.connection, f"join selection {', '.join(others)} to {selection.name}"):
            self._insert_matches(selection.id, held[n_held:], first_rank=first_rank)
        return len(held) - n_held

    def rename_selection(self, name: str, new_name: str) -> Selection:
        """Give a selection another name; returns it as it is now."""
        selection = self.selection(name)
        check_selection_name(new_name)
        if new_name != selection.name:
            with change(self.connection, f"rename selection {selection.name} to {new_name}"):
                self._check_free(new_name, "choose another name")
                self.connection.execute("UPDATE selections SET name = ? WHERE id = ?", (new_name, selection.id))
        return self.selection(new_name)

    def remove_selections(self, names: Iterable[str]) -> list[Selection]:
        """Take selections out; `undo` brings them back. Returns them. Their clips stay as they are."""
        found = list({selection.id: selection for selection in map(self.selection, names)}.values())
        with change(self.connection, f"rm selection {', '.join(selection.name for selection in found)}"):
            for selection in found:
                self._delete(selection.name)
        return found

    def _delete(self, name: str) -> None:
        self.connection.execute(
            "DELETE FROM matches WHERE selection_id IN (SELECT id FROM selections WHERE name = ?)", (name,)
        )
        self.connection.execute("DELETE FROM selections WHERE name = ?", (name,))

    def _insert_matches(self, selection_id: int, matches: "Sequence[Match]", *, first_rank: int) -> None:
        self._check_they_fit(matches)
        packed = [pack_pairs(match.alignment.pairs) for match in matches]
        digests = [digest_of_pairs(pairs) for pairs in packed]
        self.connection.executemany(
            """INSERT INTO alignments (digest, pairs) SELECT ?1, ?2
                WHERE NOT EXISTS (SELECT 1 FROM alignments WHERE digest = ?1)""",
            zip(digests, packed, strict=True),
        )
        self.connection.executemany(
            """INSERT INTO matches (selection_id, rank, clip_id, start, stop, distance, mean, unit, method, scale,
                                    mirrored, tier, alignment_id)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM alignments WHERE digest = ?))""",
            [
                (
                    selection_id, rank, match.segment.clip_id, match.segment.start, match.segment.stop,
                    float(match.distance), float(match.mean), match.unit, match.method, float(match.scale),
                    int(match.mirrored), match.tier, digest,
                )
                for rank, (match, digest) in enumerate(zip(matches, digests, strict=True), start=first_rank)
            ],
        )  # fmt: skip

    def _check_they_fit(self, matches: "Sequence[Match]") -> None:
        """Raise for numbers that are not finite, and for frames that no clip has; of each clip, the last is enough."""
        last: dict[int, Segment] = {}
        for match in matches:
            if not all(math.isfinite(number) for number in (match.distance, match.mean, match.scale)):
                raise UsageError("the distance, mean and scale of a match must be finite")
            known = last.get(match.segment.clip_id)
            if known is None or match.segment.stop > known.stop:
                last[match.segment.clip_id] = match.segment
        for segment in last.values():
            self.segment_of(segment)

    def _check_free(self, name: str, remedy: str) -> None:
        if any(selection.name == name for selection in self.selections()):
            raise BankError(f"{self.path}: a selection named {name!r} already exists; {remedy}")


def _place_finder(segments: Iterable[Segment]) -> Callable[[Segment], bool]:
    """Whether a segment is at the place of one of these: half the frames of the longer one are those of both."""
    by_clip: dict[int, list[Segment]] = {}
    for segment in segments:
        by_clip.setdefault(segment.clip_id, []).append(segment)

    def lies_there(segment: Segment) -> bool:
        return any(
            segment.overlap(other) >= SAME_SHARE * max(segment.n_frames, other.n_frames)
            for other in by_clip.get(segment.clip_id, ())
        )

    return lies_there
