import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.spreading.candidates import Candidates, nearest_examples, nearest_examples_reference

N_FRAMES = 12


@st.composite
def candidates_of_a_clip(draw):
    n = draw(st.integers(0, 8))
    starts = [draw(st.integers(0, N_FRAMES - 1)) for _ in range(n)]
    stops = [draw(st.integers(start + 1, N_FRAMES)) for start in starts]
    examples = [draw(st.integers(0, 3)) for _ in range(n)]
    distances = [draw(st.sampled_from([0.1, 0.2, 0.3])) for _ in range(n)]  # ties abound
    return Candidates(np.zeros(n, dtype=int), *map(np.array, (starts, stops, examples)), np.array(distances))


@given(candidates_of_a_clip(), st.lists(st.integers(0, 2), min_size=4, max_size=4), st.data())
def test_every_frame_has_the_nearest_example_of_every_label(candidates, labels, data):
    start = data.draw(st.integers(0, N_FRAMES - 1))
    stop = data.draw(st.integers(start + 1, N_FRAMES))
    candidates = candidates.only(candidates.starts < stop)
    options = {"n_labels": 3, "start": start, "stop": stop}

    found = nearest_examples(candidates, np.array(labels), **options)

    expected = nearest_examples_reference(candidates, np.array(labels), **options)
    for array, wanted in zip(found, expected, strict=True):
        np.testing.assert_array_equal(array, wanted)


def test_candidates_of_some_examples_are_numbered_anew():
    all_of_them = Candidates(*(np.arange(4) for _ in range(3)), np.array([0, 1, 2, 1]), np.arange(4) / 10)

    some = all_of_them.of_examples([2, 1])

    assert some.examples.tolist() == [1, 0, 1]
    assert some.clips.tolist() == [1, 2, 3]
    assert all_of_them.of_examples([3]).examples.tolist() == []
