"""Which segments of a set a match web knows to be alike."""

from collections.abc import Sequence
from dataclasses import dataclass

from motionary.artefacts import ArtefactStore
from motionary.bank import Bank, check_is_bank
from motionary.library import one_snapshot
from motionary.motion import Segment
from motionary.search.match_web.known_webs import known_webs
from motionary.search.match_web.pieces import Piece
from motionary.search.match_web.searcher import Searcher
from motionary.search.match_web.web import MatchWeb
from motionary.search.match_web.webs import web_as_left

MARGIN = 0.05  # of a segment at each end, which counts for nothing: chains may end a few frames before motions do
LEAST_MARGIN = 2
SAME = 0.5  # of two pieces together: what has as much in common is the same match


@dataclass(frozen=True)
class AlikeSegments:
    """The edges of a match graph between given segments."""

    web: str  # the name of the web that knows them
    edges: tuple[tuple[int, int], ...]  # numbers of segments, the lower first, in order


@one_snapshot
def alike_segments(bank: Bank, segments: Sequence[Segment]) -> AlikeSegments | None:
    """The pairs of segments that are alike by the newest web that knows all of their clips as they are now; None if
    there is no such web. Nothing is built for it."""
    check_is_bank(bank)
    for known in reversed(known_webs(ArtefactStore.of(bank))):
        web = web_as_left(bank, known)
        if web is None:
            continue
        pieces = [web.piece_of(segment) for segment in segments]
        found = [piece for piece in pieces if piece is not None]
        if found and len(found) == len(pieces):
            return AlikeSegments(web.name, _edges(web, [_inner(piece) for piece in found]))
    return None


def _inner(piece: Piece) -> Piece:
    n = piece.stop - piece.start
    margin = max(LEAST_MARGIN, round(MARGIN * n))
    return Piece(piece.motion, piece.start + margin, piece.stop - margin) if n > 4 * margin else piece


def _edges(web: MatchWeb, pieces: Sequence[Piece]) -> tuple[tuple[int, int], ...]:
    searcher = Searcher(web)
    edges = set()
    for i, piece in enumerate(pieces):
        places = searcher.links(piece).places.tolist()
        for j, other in enumerate(pieces):
            if i != j and any(m == other.motion and Piece(m, a, b).overlap(other) >= SAME for m, a, b in places):
                edges.add((min(i, j), max(i, j)))
    return tuple(sorted(edges))
