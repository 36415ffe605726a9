"""The index as it is stored: what is read is what was written, and errors are truly upper bounds."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.artefacts import ArtefactStore
from motionary.features import descriptions
from motionary.search.exact.index_store import Part, _largest, found
from motionary.search.exact.projections import Basis
from search.exact.small_features import indexed, walks

STORE = sys.modules["motionary.search.exact.index_store"]


@pytest.fixture
def store(tmp_path):
    return ArtefactStore(tmp_path)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(STORE, "AT_ONCE", 64)


def is_right(files, features):
    """Whether every row is as near to what it stands for as the files say."""
    for name, part in files.parts.items():
        exact = part.basis.exact(np.asarray(features.arrays[name]))
        off = np.linalg.norm(files.rows(name, 0, files.n_rows).T - exact, axis=1)
        off[part.apart] = 0.0
        assert off.max() <= part.error
        assert off.max() > 0.5 * part.error or part.error < 1e-6
    return files.n_rows == features.n_rows


def test_every_row_is_within_the_error(store):
    features = walks(0, [100, 37, 300])

    files = indexed(features, store)

    assert is_right(files, features)
    assert set(files.parts) == {"positions"}  # the root has too few dimensions to be worth it


@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([1e-9, 1.0, 1e4]), n_wide=st.integers(0, 9))
def test_rows_that_fit_are_off_by_half_a_step_at_most(seed, size, n_wide):
    rng = np.random.default_rng(seed)
    steps = rng.uniform(0.5, 2.0, size=9) * size / _largest(n_wide, 9)
    part = Part(Basis(np.zeros(9, dtype=np.float32), np.eye(9)), n_wide, steps)
    z = rng.uniform(-3.0, 3.0, size=(50, 9)) * size

    read_again, fits = part.read(part.stored(z)).T, part.fits(z)

    assert (np.abs(read_again - z)[fits] <= 0.5 * steps * (1 + 1e-3)).all()
    assert (np.abs(z[~fits]) > steps * _largest(n_wide, 9)).any(axis=1).all()


def test_a_wild_pose_is_kept_apart_and_blurs_nobody(store):
    features = walks(1, [400, 400])
    plain_error = indexed(features, store).parts["positions"].error
    features.arrays["positions"][123] = 1e4

    part = indexed(replace(features, artefact=None), store).parts["positions"]

    assert 123 in part.apart
    assert part.error < 10 * plain_error


def test_rows_are_read_across_blocks(store):
    files = indexed(walks(2, [200, 100]), store)
    whole = files.rows("positions", 0, 300)

    for first, stop in ((0, 1), (63, 65), (64, 128), (10, 300), (299, 300)):
        assert np.array_equal(files.rows("positions", first, stop), whole[:, first:stop])


@pytest.mark.parametrize("lengths", [[[100], [100, 1], [100, 1, 63], [100, 1, 63, 64]], [[30], [30, 90]]])
def test_rows_come_to_those_that_are_there(store, lengths):
    for some in lengths:
        features = walks(3, some)
        indexed(features, store)
        again = found(features, store)
        assert again is not None
        assert is_right(again, features)


def test_a_library_that_has_grown_much_is_trained_anew(store, monkeypatch):
    monkeypatch.setattr(STORE, "MOST_APART", 1.0)
    small = indexed(walks(4, [100]), store)
    larger = indexed(walks(4, [100, 250]), store)
    largest = indexed(walks(4, [100, 250, 100]), store)

    assert (small.n_trained, larger.n_trained, largest.n_trained) == (100, 100, 450)
    assert is_right(largest, walks(4, [100, 250, 100]))


def test_a_library_that_becomes_another_is_trained_anew(store):
    files = indexed(walks(4, [400]), store)
    features = walks(4, [400, 300])
    features.arrays["positions"][400:] *= 9.0

    files = indexed(features, store)

    assert files.n_trained == 700
    assert files.share_apart < 0.1
    assert is_right(files, features)


def test_a_process_that_has_it_open_reads_what_it_knew(store, monkeypatch):
    monkeypatch.setattr(STORE, "MOST_APART", 1.0)
    features = walks(5, [100])
    old = indexed(features, store)
    rows = old.rows("positions", 0, 100)

    indexed(walks(5, [100, 150]), store)

    assert np.array_equal(old.rows("positions", 0, 100), rows)


def test_it_is_small(store):
    names = ("positions", "angles", "gist")
    files = indexed(walks(6, [2000, 2000], names=names), store)

    n_bytes = sum(part.row_type.itemsize for part in files.parts.values())
    n_kept_apart = sum(8 * len(part.apart) for part in files.parts.values()) / files.n_rows

    assert n_bytes + n_kept_apart <= 0.1 * sum(4 * descriptions()[name].n_dimensions for name in names)


def test_features_that_were_begun_anew_are_known_by_their_id(store):
    indexed(walks(10, [100], id="one"), store)

    assert found(walks(10, [100], id="one"), store) is not None
    assert found(walks(10, [100], id="other"), store) is None
    assert is_right(indexed(walks(11, [100], id="other"), store), walks(11, [100]))


def test_whoever_knows_fewer_rows_reads_the_first_ones(store):
    old, new = (walks(10, lengths) for lengths in ([100], [100, 90]))
    indexed(new, store)
    before = {path: path.stat().st_mtime_ns for path in store.folder.rglob("*") if path.name != "lock"}

    files = indexed(old, store)

    assert files.n_rows == 190
    off = np.linalg.norm(files.rows("positions", 0, 100).T - files.parts["positions"].basis.exact(
        old.arrays["positions"]), axis=1)  # fmt: skip
    off[files.parts["positions"].apart[files.parts["positions"].apart < 100]] = 0.0
    assert off.max() <= files.parts["positions"].error
    assert {path: path.stat().st_mtime_ns for path in store.folder.rglob("*") if path.name != "lock"} == before
