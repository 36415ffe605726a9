"""Alignments as bytes: they come back the same, however long their steps, and damage is told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.bank.pairs import digest_of_pairs, pack_pairs, unpack_pairs

LARGEST = 2**31 - 1
STEPS = st.one_of(st.integers(0, 1), st.integers(0, 16), st.integers(0, 300), st.integers(0, 70_000))


@given(steps=st.lists(st.tuples(STEPS, STEPS), max_size=200))
def test_any_pairs_come_back(steps):
    pairs = np.cumsum(np.array(steps, dtype=np.int64).reshape(-1, 2), axis=0)

    found = unpack_pairs(pack_pairs(pairs))

    assert found.dtype == np.int32
    assert found.shape == pairs.shape
    assert np.array_equal(found, pairs)
    assert pack_pairs(found) == pack_pairs(pairs.astype(np.int32))


@pytest.mark.parametrize(
    ("pairs", "n_bytes"),
    [
        ([], 1),
        ([[0, 0]], 2),
        ([[0, 0], [1, 0], [1, 1], [2, 2]], 5),  # as DTW goes: a byte for a pair
        ([[15, 15]], 2),
        ([[16, 0], [17, 1]], 5),
        ([[0, 0], [255, 255]], 5),
        ([[0, 0], [256, 1]], 9),
        ([[65_536, 0]], 9),
        ([[LARGEST, LARGEST]], 9),
    ],
)
def test_as_few_bytes_as_the_longest_step_needs(pairs, n_bytes):
    packed = pack_pairs(np.array(pairs))

    assert len(packed) == n_bytes
    assert unpack_pairs(packed).tolist() == pairs


@pytest.mark.parametrize("pairs", [[[1, 1], [0, 2]], [[-1, 0]], [[LARGEST + 1, 0]]])
def test_what_is_no_alignment_is_not_packed(pairs):
    with pytest.raises(ValueError, match="go forward from frame 0 on"):
        pack_pairs(np.array(pairs))


@pytest.mark.parametrize("packed", [b"", b"\x05\x00", b"\x08\x01", b"\x10\x01\x00\x02", b"\x20\x00\x00"])
def test_bytes_that_are_no_alignment_are_refused(packed):
    with pytest.raises(ValueError):
        unpack_pairs(packed)


def test_another_alignment_has_another_digest():
    digests = {digest_of_pairs(pack_pairs(np.array(pairs))) for pairs in ([[0, 0]], [[0, 1]], [], [[0, 0], [1, 1]])}

    assert len(digests) == 4
