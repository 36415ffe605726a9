import numpy as np

from motionary.alignment import Alignment, Match
from motionary.features import descriptions
from motionary.motion import Segment
from motionary.search.matched_rows import matched_rows, query_frames
from search.tiny_libraries import library

ROOT = descriptions()["root"]


def counting(n_frames: int) -> dict[str, np.ndarray]:
    return {"root": np.arange(n_frames, dtype=np.float32)[:, None] + np.zeros((1, ROOT.n_dimensions), np.float32)}


def match_of(pairs: list[tuple[int, int]], start: int, stop: int, *, mirrored: bool = False) -> Match:
    return Match(Segment(1, start, stop), 0.0, 0.0, "", "dtw", Alignment(np.array(pairs)), 3, 30.0, mirrored=mirrored)


def test_every_frame_of_the_query_takes_the_middle_of_its_partners():
    match = match_of([(0, 0), (0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5)], 2, 8)

    rows = matched_rows(library([counting(9)]), match, 4)

    assert rows["root"][:, 0].tolist() == [3, 5, 5, 6]


def test_gaps_are_filled():
    match = match_of([(1, 1), (3, 3)], 0, 6)

    assert matched_rows(library([counting(9)]), match, 6)["root"][:, 0].tolist() == [0, 1, 2, 3, 4, 5]
    assert query_frames((match, match_of([(4, 4)], 0, 5))) == 5
    assert query_frames(()) == 1


def test_a_mirrored_match_is_mirrored_back():
    features = library([counting(4)])
    pairs = [(i, i) for i in range(4)]

    seen, plain = (matched_rows(features, match_of(pairs, 0, 4, mirrored=mirrored), 4) for mirrored in (True, False))

    assert np.array_equal(seen["root"], ROOT.mirrored(plain["root"]))
    assert not np.array_equal(seen["root"], plain["root"])
