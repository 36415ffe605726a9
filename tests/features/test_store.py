"""The files of features: one writer at a time, and rows that never change."""

import json
import threading
from pathlib import Path

import numpy as np

from motionary.features import descriptions
from motionary.features.store import MANIFEST, VERSION, Appender, FeatureStore


def rows(value: float, n_rows: int) -> dict[str, np.ndarray]:
    return {name: np.full((n_rows, found.n_dimensions), value) for name, found in descriptions().items()}


def store_with(folder: Path, **motions: int) -> FeatureStore:
    """A store that holds motions of so many rows, filled with 1, 2, ..."""
    store = FeatureStore(folder, 30.0)
    with store.locked():
        manifest = store.begin()
        with Appender(store, manifest) as appender:
            for value, (digest, n_rows) in enumerate(motions.items(), start=1):
                appender.append(digest, rows(value, n_rows))
            appender.flush()
        store.commit(manifest)
    return store


def test_what_is_written_is_read(tmp_path):
    store = store_with(tmp_path / "features", a=3, b=2)

    manifest, wrong = store.read()

    assert manifest is not None
    assert wrong == ""
    assert manifest.rows == {"a": (0, 3), "b": (3, 2)}
    for array in store.arrays(manifest).values():
        assert array[:, 0].tolist() == [1, 1, 1, 2, 2]


def test_every_generation_has_an_id_of_its_own_wherever_it_is(tmp_path):
    stores = [store_with(tmp_path / name, a=3) for name in ("one", "two")]
    first, second = (store.read()[0] for store in stores)
    assert first is not None
    assert second is not None
    third = stores[0].compacted(first)

    assert first.generation == second.generation
    assert len({"", first.id, second.id, third.id}) == 4


def test_another_version_is_never_called_damaged(tmp_path):
    store = store_with(tmp_path, a=3)
    path = tmp_path / MANIFEST
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["id"]  # as the first manifests were
    path.write_text(json.dumps(content), encoding="utf-8")
    manifest, _ = store.read()
    assert manifest is not None
    assert manifest.id == ""

    path.write_text(json.dumps({"version": VERSION + 1, "rows": "elsewhere"}), encoding="utf-8")
    assert store.read() == (None, "they are of another version")


def test_nothing_is_there_before_anything_is_written(tmp_path):
    assert FeatureStore(tmp_path / "none", 30.0).read() == (None, "")


def test_what_was_not_committed_does_not_exist(tmp_path):
    store = store_with(tmp_path, a=3)
    manifest, _ = store.read()
    assert manifest is not None
    with Appender(store, manifest) as appender:
        appender.append("b", rows(9.0, 4))

    again, _ = store.read()

    assert again is not None
    assert again.rows == {"a": (0, 3)}
    assert all(len(array) == 3 for array in store.arrays(again).values())


def test_compacted_rows_keep_their_order_and_values(tmp_path):
    store = store_with(tmp_path, a=3, b=2, c=1)
    manifest, _ = store.read()
    assert manifest is not None
    del manifest.rows["b"]

    compact = store.compacted(manifest)
    store.commit(compact)

    assert compact.generation == manifest.generation + 1
    assert compact.rows == {"a": (0, 3), "c": (3, 1)}
    assert store.arrays(compact)["root"][:, 0].tolist() == [1, 1, 1, 3]


def test_writers_wait_for_one_another(tmp_path):
    store, order = FeatureStore(tmp_path, 30.0), []
    entered = threading.Event()

    def other() -> None:
        entered.set()
        with store.locked():
            order.append("other")

    with store.locked():
        thread = threading.Thread(target=other)
        thread.start()
        entered.wait(10.0)
        order.append("this")
    thread.join(10.0)

    assert order == ["this", "other"]
