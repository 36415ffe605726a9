"""The store of derived data: kept, found again, replaced, and never read damaged."""

import json
import multiprocessing
import os
from pathlib import Path

import numpy as np
import pytest

from motionary.artefacts import ArtefactStore, Content, Job, Kind, Table, rebuilding
from motionary.artefacts.table import BLOCK_BYTES, TableEntry, TableWriter
from motionary.errors import DamagedArtefactError, UsageError

KIND = Kind("numbers", version=3, title="the numbers")
PAIR = np.dtype([("wide", "<i2", (3,)), ("narrow", "i1")])
PER_BLOCK = BLOCK_BYTES // 32  # rows of 4 numbers
N_ROWS = 3 * PER_BLOCK + 17


class Builder:
    """A job that counts how often it is built."""

    def __init__(self, *, inputs: object = ("a", 1), key: str = "some", seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        pairs = np.zeros(50, dtype=PAIR)
        pairs["wide"], pairs["narrow"] = rng.integers(-999, 999, (50, 3)), rng.integers(-99, 99, 50)
        self.tables = {"rows": rng.normal(size=(N_ROWS, 4)), "pairs": pairs, "none": np.zeros((0, 2))}
        self.n_built = 0
        self.job = Job(KIND, key, inputs, self.build)

    def build(self) -> Content:
        self.n_built += 1
        return Content(self.tables, {"unit": "m", "é": [1, 2.5]})

    def is_right(self, artefact) -> bool:
        return all(np.array_equal(artefact.array(name), table) for name, table in self.tables.items())


@pytest.fixture
def store(tmp_path: Path) -> ArtefactStore:
    return ArtefactStore(tmp_path / "some.bank.derived")


def _file(store: ArtefactStore, name: str) -> Path:
    (path,) = (store.folder / "numbers" / "some").glob(name)
    return path


def _overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def _flip(path: Path, at: int) -> None:
    data = path.read_bytes()[at]
    _overwrite(path, at, bytes([data ^ 4]))


DAMAGES = {
    "a page of zeros": ("rows.1", lambda path: _overwrite(path, 2 * 4096, bytes(4096))),
    "one flipped bit": ("rows.1", lambda path: _flip(path, 2 * BLOCK_BYTES + 1234)),
    "a flipped bit in the last, open block": ("rows.1", lambda path: _flip(path, path.stat().st_size - 3)),
    "a NaN": ("rows.1", lambda path: _overwrite(path, 800, np.array([np.nan]).tobytes())),
    "cut off": ("rows.1", lambda path: os.truncate(path, path.stat().st_size - 8)),
    "empty": ("rows.1", lambda path: os.truncate(path, 0)),
    "missing": ("pairs.1", Path.unlink),
    "a foreign file": ("rows.1", lambda path: path.write_bytes(b"BM" * path.stat().st_size)),
    "another table's file": ("pairs.1", lambda path: path.write_bytes(path.with_name("rows.1").read_bytes())),
    "a flipped bit in the manifest": ("manifest", lambda path: _flip(path, 100)),
    "a manifest cut off": ("manifest", lambda path: os.truncate(path, 150)),
    "a manifest of another tool": ("manifest", lambda path: path.write_text(json.dumps({"version": 3}))),
}


def test_what_was_built_is_found_again_and_not_built_twice(store):
    builder = Builder()

    built, found = store.get(builder.job), store.get(builder.job)

    assert builder.n_built == 1
    assert builder.is_right(built)
    assert builder.is_right(found)
    assert found.facts == {"unit": "m", "é": [1, 2.5]}
    assert found.id == built.id
    assert found.tables["pairs"].dtype == PAIR
    assert not found.array("rows").flags.writeable
    assert store.check() == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found_where_it_is_touched_and_by_check_and_built_again(store, damage):
    builder = Builder()
    store.get(builder.job)
    name, do = DAMAGES[damage]

    do(_file(store, name))

    assert len(store.check()) == 1
    assert rebuilding(lambda: builder.is_right(store.get(builder.job)))
    assert builder.n_built == 2
    assert store.check() == []
    assert builder.is_right(ArtefactStore(store.folder).get(builder.job))
    assert builder.n_built == 2


def test_only_what_is_touched_is_verified(store):
    builder = Builder()
    store.get(builder.job)
    _flip(_file(store, "rows.1"), 2 * BLOCK_BYTES + 9)
    rows = store.get(builder.job).tables["rows"]

    assert np.array_equal(rows.rows(0, 2 * PER_BLOCK), builder.tables["rows"][: 2 * PER_BLOCK])
    rows.touched([0, PER_BLOCK], [5, PER_BLOCK + 5])
    rows.verify(3 * PER_BLOCK, N_ROWS)
    with pytest.raises(DamagedArtefactError, match=r"rows\.1 does not match its checksum"):
        rows.touched([0, 2 * PER_BLOCK - 1], [1, 2 * PER_BLOCK + 1])
    assert rows.damaged_blocks() == [(2 * PER_BLOCK, 3 * PER_BLOCK)]


@pytest.mark.parametrize(
    ("index", "touches"),
    [
        (slice(3, 9), False),
        (slice(-5, None), False),
        (slice(9, 3), False),
        (np.array([0, 5, -1]), False),
        (np.array([0, 2 * PER_BLOCK + 5]), True),
        (slice(PER_BLOCK, 2 * PER_BLOCK + 1), True),
        (slice(None, None, 1000), True),
        ((slice(None), np.array([0, 1])), True),
    ],
)
def test_rows_are_taken_as_from_an_array_and_only_they_are_verified(store, index, touches):
    builder = Builder()
    expected = builder.tables["rows"][index]
    store.get(builder.job)
    assert np.array_equal(store.get(builder.job).tables["rows"][index], expected)
    assert np.array_equal(np.asarray(store.get(builder.job).tables["rows"]), builder.tables["rows"])

    _flip(_file(store, "rows.1"), 2 * BLOCK_BYTES + 9)
    damaged = store.get(builder.job).tables["rows"]

    if touches:
        with pytest.raises(DamagedArtefactError):
            damaged[index]
    else:
        assert np.array_equal(damaged[index], expected)


def test_other_inputs_versions_and_keys_are_not_taken(store):
    first, other = Builder(), Builder(inputs=("a", 2), seed=2)
    store.get(first.job)
    newer = Kind("numbers", version=4, title="the numbers")

    assert store.find(newer, "some") is None
    assert store.find(KIND, "another") is None
    assert store.find(KIND, "some", inputs=("a", 2)) is None
    assert store.find(KIND, "some").facts["unit"] == "m"
    assert other.is_right(store.get(other.job))
    assert first.is_right(store.get(first.job))
    assert (first.n_built, other.n_built) == (2, 1)


def test_the_files_of_another_bank_are_not_taken(store, tmp_path):
    builder = Builder()
    other = ArtefactStore(tmp_path / "other.bank.derived")
    theirs = Builder(inputs="of another bank", seed=5)
    store.get(builder.job)
    other.get(theirs.job)

    for name in ("manifest", "rows.1", "pairs.1"):
        _file(store, name).write_bytes(_file(other, name).read_bytes())

    assert builder.is_right(store.get(builder.job))
    assert builder.n_built == 2
    _file(store, "rows.2").write_bytes(_file(other, "rows.1").read_bytes())  # only the rows, under our manifest
    assert rebuilding(lambda: builder.is_right(store.get(builder.job)))
    assert builder.n_built == 3


def test_what_is_open_stays_as_it_is_whatever_is_written_or_deleted(store):
    first, second = Builder(), Builder(inputs="new", seed=2)
    opened = store.get(first.job)

    assert store.is_current(opened)
    store.get(second.job)

    assert first.is_right(opened)
    assert not store.is_current(opened)
    store.remove(["numbers"])
    assert store.entries() == []
    assert first.is_right(opened)


def test_tables_grow_and_readers_keep_their_rows(store):
    rows = np.random.default_rng(4).normal(size=(3 * N_ROWS, 4))
    with store.writing(KIND, "some") as draft:
        draft.begin()
        draft.append("rows", rows[:N_ROWS])
        first = draft.commit(inputs=1, facts={})
        draft.append("rows", rows[N_ROWS : N_ROWS + 5])
        draft.commit(inputs=2, facts={})
    with _file(store, "rows.1").open("ab") as file:
        file.write(b"left by a killed process")
    with store.writing(KIND, "some") as draft:
        draft.resume()
        assert draft.n_rows("rows") == N_ROWS + 5
        draft.append("rows", rows[N_ROWS + 5 :])
        last = draft.commit(inputs=3, facts={})

    assert np.array_equal(first.array("rows"), rows[:N_ROWS])
    assert np.array_equal(store.find(KIND, "some").array("rows"), rows)
    assert first.id == last.id
    assert store.check() == []


def test_what_is_not_committed_does_not_exist(store):
    with store.writing(KIND, "some") as draft:
        draft.begin()
        draft.append("rows", np.ones(5))

    assert store.find(KIND, "some") is None
    assert store.entries() == []


def test_where_nothing_can_be_written_results_are_used_and_not_kept(store):
    builder, told = Builder(), []
    store.folder.write_bytes(b"in the way")

    artefact = ArtefactStore(store.folder, message=told.append).get(builder.job)

    assert builder.is_right(artefact)
    assert artefact.folder is None
    assert "the numbers cannot be kept" in told[0]


def test_damaged_data_that_cannot_be_replaced_are_built_and_not_kept(store):
    builder = Builder()
    store.get(builder.job)
    _flip(_file(store, "rows.1"), 9)
    lock = _file(store, "lock")
    lock.unlink()
    lock.mkdir()  # so that nobody can write

    with pytest.raises(DamagedArtefactError):
        builder.is_right(store.get(builder.job))
    assert builder.is_right(store.get(builder.job))


def test_artefacts_are_listed_and_removed_by_name(store):
    store.get(Builder(key="a1").job)
    store.get(Builder(key="b1").job)

    assert [entry.name for entry in store.entries()] == ["numbers/a1", "numbers/b1"]
    assert store.entries()[0].as_json()["version"] == 3
    assert [entry.name for entry in store.remove(["numbers/b"], dry_run=True)] == ["numbers/b1"]
    assert [entry.name for entry in store.remove(["numbers/b"])] == ["numbers/b1"]
    assert [entry.name for entry in store.entries()] == ["numbers/a1"]
    with pytest.raises(UsageError, match="available: numbers"):
        store.remove(["features"])


def test_folders_of_earlier_versions_are_deleted_by_the_first_that_writes(store):
    for name in ("features-v2-30hz", "poses-v1", "curves-0a1b2c-v4", "mine"):
        (store.folder / name).mkdir(parents=True)

    store.get(Builder().job)

    assert sorted(path.name for path in store.folder.iterdir()) == ["mine", "numbers"]


@pytest.mark.parametrize("name", ["", "..", "a/b", "a b", ".hidden"])
def test_names_that_would_lead_elsewhere_are_refused(store, name):
    with pytest.raises(ValueError, match="cannot name"):
        store.find(KIND, name)


def _write(folder: Path, n: int) -> None:
    store = ArtefactStore(folder)
    for _ in range(5):
        with store.writing(KIND, "some") as draft:
            if draft.before is None:
                draft.begin()
            else:
                draft.resume()
            draft.append("rows", np.full(1000, n))
            draft.commit(inputs=0, facts={})


def test_several_processes_write_one_after_the_other(store):
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write, args=(store.folder, n)) for n in range(3)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()

    rows = store.find(KIND, "some").array("rows").reshape(-1, 1000)

    assert sorted(rows[:, 0].tolist()) == [0] * 5 + [1] * 5 + [2] * 5
    assert (rows == rows[:, :1]).all()


def test_a_table_in_memory_is_like_any_other():
    array = np.arange(12.0).reshape(4, 3)

    table = Table.in_memory(array)

    assert np.array_equal(table.rows(1, 3), array[1:3])
    assert np.array_equal(table.touched([0], [4]), array)
    assert (len(table), table.shape) == (4, (4, 3))


def test_a_table_of_python_objects_is_refused():
    with pytest.raises(ValueError, match="its table is invalid"):
        TableEntry(np.dtype(object), (), 1, ())


def test_rows_of_another_shape_are_refused(tmp_path):
    writer = TableWriter(tmp_path / "rows", np.dtype("<f4"), (3,), None)

    with pytest.raises(ValueError, match="rows of shape"):
        writer.append(np.zeros((2, 4)))
    writer.close()
