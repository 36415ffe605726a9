"""The files of an index: what is read is what was written, errors are truly upper bounds, and damage is told."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.features import descriptions
from motionary.search.exact.index_store import MANIFEST, VERSION, DamagedIndexError, Part, _largest, read, updated
from motionary.search.exact.shadows import Basis
from search.exact.small_features import walks

STORE = sys.modules["motionary.search.exact.index_store"]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "index"


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(STORE, "BLOCK_ROWS", 64)


def is_right(files, features):
    """Whether every row is as near to what it stands for as the files say."""
    for name, part in files.parts.items():
        exact = part.basis.exact(np.asarray(features.arrays[name]))
        off = np.linalg.norm(files.rows(name, 0, files.n_rows).T - exact, axis=1)
        off[part.apart] = 0.0
        assert off.max() <= part.error
        assert off.max() > 0.5 * part.error or part.error < 1e-6
    return files.n_rows == features.n_rows


def test_every_row_is_within_the_error(folder):
    features = walks(0, [100, 37, 300])

    files, wrong = updated(features, folder)

    assert wrong == ""
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


def test_a_wild_pose_is_kept_apart_and_blurs_nobody(folder):
    features = walks(1, [400, 400])
    plain_error = updated(features, folder)[0].parts["positions"].error
    features.arrays["positions"][123] = 1e4

    part = updated(features, folder.parent / "wild")[0].parts["positions"]

    assert 123 in part.apart
    assert part.error < 10 * plain_error


def test_rows_are_read_across_blocks(folder):
    files, _ = updated(walks(2, [200, 100]), folder)
    whole = files.rows("positions", 0, 300)

    for first, stop in ((0, 1), (63, 65), (64, 128), (10, 300), (299, 300)):
        assert np.array_equal(files.rows("positions", first, stop), whole[:, first:stop])


@pytest.mark.parametrize("lengths", [[[100], [100, 1], [100, 1, 63], [100, 1, 63, 64]], [[30], [30, 90]]])
def test_rows_come_to_those_that_are_there(folder, lengths):
    for some in lengths:
        features = walks(3, some)
        files, wrong = updated(features, folder)
        again, _ = read(features, folder)
        assert wrong == ""
        assert again is not None
        assert again.parts["positions"].checksums == files.parts["positions"].checksums
        assert is_right(again, features)


def test_a_library_that_has_grown_much_is_trained_anew(folder, monkeypatch):
    monkeypatch.setattr(STORE, "MOST_APART", 1.0)
    small, _ = updated(walks(4, [100]), folder)
    larger, _ = updated(walks(4, [100, 250]), folder)
    largest, _ = updated(walks(4, [100, 250, 100]), folder)

    assert (small.n_trained, larger.n_trained, largest.n_trained) == (100, 100, 450)
    assert is_right(largest, walks(4, [100, 250, 100]))


def test_a_library_that_becomes_another_is_trained_anew(folder):
    files, _ = updated(walks(4, [400]), folder)
    features = walks(4, [400, 300])
    features.arrays["positions"][400:] *= 9.0

    files, _ = updated(features, folder)

    assert files.n_trained == 700
    assert files.share_apart < 0.1
    assert is_right(files, features)


def test_a_process_that_has_it_open_reads_what_it_knew(folder, monkeypatch):
    monkeypatch.setattr(STORE, "MOST_APART", 1.0)
    features = walks(5, [100])
    old, _ = updated(features, folder)
    rows = old.rows("positions", 0, 100)

    updated(walks(5, [100, 150]), folder)

    assert np.array_equal(old.rows("positions", 0, 100), rows)


def test_it_is_small(tmp_path):
    names = ("positions", "angles", "gist")
    files, _ = updated(walks(6, [2000, 2000], names=names), tmp_path)

    n_bytes = sum(part.row_type.itemsize for part in files.parts.values())
    n_kept_apart = sum(8 * len(part.apart) for part in files.parts.values()) / files.n_rows

    assert n_bytes + n_kept_apart <= 0.1 * sum(4 * descriptions()[name].n_dimensions for name in names)


def changed(folder, change):
    path = folder / MANIFEST
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda content: content.update(version=VERSION - 1), "it is of another version"),
        (lambda content: content.update(n_rows=7), "its manifest is damaged"),
        (lambda content: content.update(n_rows=-5), "its manifest is damaged"),
        (lambda content: content["parts"]["positions"].update(error=0.0), "its manifest is damaged"),
        (lambda content: content["parts"].clear(), "its manifest is damaged"),
        (lambda content: content.pop("checksum"), "it is damaged"),
        (lambda content: content.pop("version"), "it is damaged"),
        (lambda content: content.update(parts=[]), "its manifest is damaged"),
    ],
)
def test_a_changed_manifest_is_told_and_made_anew(folder, change, told):
    features = walks(7, [100])
    updated(features, folder)
    changed(folder, change)

    files, wrong = updated(features, folder)

    assert wrong == told
    assert is_right(files, features)
    assert updated(features, folder)[1] == ""


@pytest.mark.parametrize("bad", [b"", b"{}", b"[1]", b"null", b"7", b'{"version": 4', b"\xff\xfe", b'{"version": 4}'])
def test_a_manifest_of_garbage_is_told_and_made_anew(folder, bad):
    features = walks(7, [100])
    updated(features, folder)
    (folder / MANIFEST).write_bytes(bad)

    files, wrong = updated(features, folder)

    assert "damaged" in wrong
    assert is_right(files, features)


def test_every_character_of_the_manifest_counts(folder):
    features = walks(7, [100])
    updated(features, folder)
    text = (folder / MANIFEST).read_text()
    for place in np.random.default_rng(0).integers(len(text), size=60).tolist():
        other = "1" if text[place] != "1" else "2"
        (folder / MANIFEST).write_text(text[:place] + other + text[place + 1 :])
        assert read(features, folder)[0] is None


def test_rows_that_are_cut_off_or_gone_are_told_and_made_anew(folder):
    features = walks(8, [100])
    for damage in (lambda path: path.write_bytes(path.read_bytes()[:-1]), lambda path: path.unlink()):
        files, _ = updated(features, folder)
        damage(files.path("positions"))

        files, wrong = updated(features, folder)

        assert wrong
        assert is_right(files, features)


def test_any_flipped_bit_of_the_rows_is_found_when_they_are_read(folder):
    features = walks(9, [200])
    files, _ = updated(features, folder)
    path = files.path("positions")
    content = path.read_bytes()
    for place in (0, 1000, len(content) - 1):
        flipped = bytearray(content)
        flipped[place] ^= 1
        path.write_bytes(bytes(flipped))
        with pytest.raises(DamagedIndexError, match="is damaged"):
            files.rows("positions", 0, 200)
    files.rows("positions", 0, 64)  # other blocks can still be read


def test_other_features_with_as_many_rows_are_noticed(folder):
    updated(walks(10, [100]), folder)

    files, wrong = updated(walks(11, [100]), folder)

    assert wrong == "it was built from other features"
    assert is_right(files, walks(11, [100]))


def test_features_that_were_begun_anew_are_known_by_their_id(folder):
    """Even where rows, their number and the generation are the same: others may lie between those that are sampled."""
    features = walks(10, [100])
    updated(replace(features, id="one"), folder)

    assert read(replace(features, id="one"), folder)[0] is not None
    assert read(replace(features, id="other"), folder) == (None, "")


def test_whoever_knows_fewer_rows_reads_the_first_ones(folder):
    old, new = (replace(walks(10, lengths), id="one") for lengths in ([100], [100, 90]))
    updated(new, folder)
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}

    files, wrong = updated(old, folder)

    assert (files.n_rows, wrong) == (190, "")
    off = np.linalg.norm(files.rows("positions", 0, 100).T - files.parts["positions"].basis.exact(
        old.arrays["positions"]), axis=1)  # fmt: skip
    off[files.parts["positions"].apart[files.parts["positions"].apart < 100]] = 0.0
    assert off.max() <= files.parts["positions"].error
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_giving_up_deletes_nobody_else_s_files(folder):
    old, _ = updated(walks(12, [100]), folder)
    new, _ = updated(walks(12, [100, 600]), folder)

    old.give_up()
    assert read(walks(12, [100, 600]), folder)[0] is not None
    new.give_up()
    assert read(walks(12, [100, 600]), folder) == (None, "")
    new.give_up()  # nothing is there to be deleted
