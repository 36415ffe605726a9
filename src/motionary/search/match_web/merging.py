"""The nodes of a match graph: which of them a match is, or whether it is a new one, or none."""

from collections.abc import Collection
from dataclasses import dataclass, fields

import numpy as np
from numba import njit

from motionary.arguments import number
from motionary.errors import UsageError
from motionary.search.match_web.pieces import Links, Piece

# The columns of a node: its place, the sums of starts and stops of all that were merged into it, and how many these
# are; and which node of the same motion came before it, −1 for none.
MOTION, START, STOP, STARTS, STOPS, N_MERGED, BEFORE = range(7)
NEITHER = -1


@dataclass(frozen=True)
class Merging:
    """When a match is a node that is there already, and when a new one; overlaps in between are dropped."""

    same_above: float = 0.8
    new_below: float = 0.2
    longest: float = 3.0  # how many times as long, or as short, as the query a match of any tier may be

    def __post_init__(self) -> None:
        for one in fields(self):
            number(getattr(self, one.name), one.name)
        if not 0.0 < self.new_below <= self.same_above < 1.0:
            raise UsageError(
                f"new_below {self.new_below:g} and same_above {self.same_above:g} must satisfy 0 < new_below ≤ "
                "same_above < 1"
            )
        if not self.longest >= 1.0:
            raise UsageError(f"longest must be at least 1, not {self.longest:g}")


class Nodes:
    """The nodes of a match graph while it grows; the first is the query."""

    def __init__(self, query: Piece, merging: Merging, allowed: Collection[int] | None) -> None:
        self.n = 1
        self._merging, self._length = merging, query.stop - query.start
        self._rows = np.array([[query.motion, query.start, query.stop, 0, 0, 0, -1]] * 64, dtype=np.int64)
        self._last: np.ndarray = np.zeros(0, dtype=np.int64)  # by motion: its last node
        self._allowed = None if allowed is None else np.array(sorted(allowed), dtype=np.int64)

    def __getitem__(self, node: int) -> Piece:
        motion, start, stop = self._rows[node, : STOP + 1].tolist()
        return Piece(motion, start, stop)

    def merge(self, links: Links, most: int | None = None) -> np.ndarray:
        """The node (K,) that each of the links leads to, new ones with them, or NEITHER; `most` nodes beside the query
        come into being."""
        self._make_room(links)
        nodes = np.full(len(links), NEITHER, dtype=np.int64)
        may_pass = np.ones(len(links), dtype=np.bool_)
        if self._allowed is not None:
            may_pass = np.isin(links.places[:, 0], self._allowed)
        m = self._merging
        self.n = _merge(
            links.places, may_pass, self._rows, self.n, self._last, self._length, m.same_above, m.new_below, m.longest,
            -1 if most is None else most, nodes,
        )  # fmt: skip
        return nodes

    def _make_room(self, links: Links) -> None:
        if self.n + len(links) > len(self._rows):
            more = np.zeros((len(self._rows) + len(links), self._rows.shape[1]), dtype=np.int64)
            self._rows = np.concatenate([self._rows, more])
        n_motions = 1 + max(int(self._rows[0, MOTION]), int(links.places[:, 0].max(initial=0)))
        if n_motions > len(self._last):
            last = np.full(2 * n_motions, -1, dtype=np.int64)
            last[: len(self._last)] = self._last
            if not len(self._last) and self._rows[0, MOTION] >= 0:  # a query from outside is in no motion of the web
                last[self._rows[0, MOTION]] = 0
            self._last = last


def merged_reference(
    nodes: list[Piece], merged: list[list[Piece]], links: Links, merging: Merging, allowed: Collection[int] | None
) -> list[int]:
    """What `Nodes.merge` gives, from the definition; `merged` has all that became each of the nodes, none for the
    query."""
    found = []
    length = nodes[0].stop - nodes[0].start
    for link in links:
        piece = link.piece
        times = (piece.stop - piece.start) / length
        shares = [piece.overlap(node) for node in nodes]
        most_alike = max(range(len(nodes)), key=shares.__getitem__)  # of equals, the first
        if (allowed is not None and piece.motion not in allowed) or not (
            1 / merging.longest <= times <= merging.longest
        ):
            found.append(NEITHER)
        elif shares[most_alike] < merging.new_below:
            found.append(len(nodes))
            nodes.append(piece)
            merged.append([piece])
        elif shares[most_alike] > merging.same_above:
            found.append(most_alike)
            if most_alike > 0:  # the query stays as it was asked
                all_of_it = merged[most_alike]
                all_of_it.append(piece)
                start = sum(one.start for one in all_of_it) // len(all_of_it)
                stop = -(-sum(one.stop for one in all_of_it) // len(all_of_it))
                moved = Piece(piece.motion, start, stop)
                others = [node for n, node in enumerate(nodes) if n != most_alike]
                # No two nodes come to be nearly the same
                if all(moved.overlap(node) < merging.new_below for node in others):
                    nodes[most_alike] = moved
        else:
            found.append(NEITHER)
    return found


@njit(cache=True, nogil=True)
def _merge(places, may_pass, rows, n_nodes, last, length, same_above, new_below, longest, most, nodes):  # type: ignore[no-untyped-def]
    for k in range(len(places)):
        motion, start, stop = places[k, 0], places[k, 1], places[k, 2]
        if not (may_pass[k] and length <= longest * (stop - start) and (stop - start) <= longest * length):
            continue
        share, found = 0.0, -1
        other = last[motion]
        while other >= 0:
            common = _overlap(start, stop, rows[other, START], rows[other, STOP])
            if common > 0.0 and common >= share:  # of equals, the first: it comes last here
                share, found = common, other
            other = rows[other, BEFORE]
        if share < new_below:
            if most < 0 or n_nodes <= most:
                row = rows[n_nodes]
                row[MOTION], row[START], row[STOP] = motion, start, stop
                row[STARTS], row[STOPS], row[N_MERGED], row[BEFORE] = start, stop, 1, last[motion]
                last[motion] = nodes[k] = n_nodes
                n_nodes += 1
        elif share > same_above:
            nodes[k] = found
            if found > 0:
                _average(rows, last[motion], found, start, stop, new_below)
    return n_nodes


@njit(cache=True, nogil=True)
def _average(rows, last, node, start, stop, new_below):  # type: ignore[no-untyped-def]
    """All matches that were the same node count alike: so it comes to rest, however many there are."""
    row = rows[node]
    row[STARTS] += start
    row[STOPS] += stop
    row[N_MERGED] += 1
    start, stop = row[STARTS] // row[N_MERGED], -(-row[STOPS] // row[N_MERGED])
    other = last
    while other >= 0:
        if other != node and _overlap(start, stop, rows[other, START], rows[other, STOP]) >= new_below:
            return
        other = rows[other, BEFORE]
    row[START], row[STOP] = start, stop


@njit(cache=True, nogil=True)
def _overlap(start, stop, other_start, other_stop):  # type: ignore[no-untyped-def]
    common = min(stop, other_stop) - max(start, other_start)
    return max(0.0, common / (max(stop, other_stop) - min(start, other_start)))
