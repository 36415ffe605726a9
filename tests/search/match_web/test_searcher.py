import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.match_web.match_graph import Piece
from motionary.search.match_web.searcher import _best
from motionary.search.match_web.sequences import Sequences


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 30), st.integers(1, 20)), max_size=25), st.integers(-1, 2))
def test_of_matches_that_overlap_by_more_than_half_the_best_is_kept(places, motion):
    pieces = [Piece(other, start, start + n) for other, start, n in places]
    query = Piece(motion, 5, 20)
    columns = (np.array([getattr(p, name) for p in pieces], dtype=np.int32) for name in ("motion", "start", "stop"))
    found = Sequences(*columns, np.linspace(0.0, 1.0, len(pieces)), None)

    known = _best(found, query, ceiling=0.15)

    kept = [query]
    for piece in pieces:
        if all(piece.overlap(other) <= 0.5 for other in kept):
            kept.append(piece)
    assert [Piece(*row) for row in known[["motion", "start", "stop"]].tolist()] == kept[1:]
    assert [pieces[k] for k in known["sequence"]] == kept[1:]
