"""Folders that processes share: one writer at a time, a manifest that is whole, and files that nobody needs."""

import json
import os
import threading

import pytest

from motionary.files import delete_others, locked, put_manifest


def test_one_at_a_time_writes(tmp_path):
    order, entered = [], threading.Event()

    def other() -> None:
        entered.set()
        with locked(tmp_path / "new" / "folder"):
            order.append("other")

    with locked(tmp_path / "new" / "folder"):
        thread = threading.Thread(target=other)
        thread.start()
        entered.wait()
        thread.join(0.05)
        order.append("first")
    thread.join()

    assert order == ["first", "other"]


def test_a_manifest_is_the_old_one_or_the_new_one(tmp_path, monkeypatch):
    path = tmp_path / "manifest.json"
    put_manifest(path, {"n": 1, "name": "ö"})

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            put_manifest(path, {"n": 2})
    assert json.loads(path.read_text(encoding="utf-8")) == {"n": 1, "name": "ö"}

    put_manifest(path, {"n": 3})
    assert json.loads(path.read_text(encoding="utf-8")) == {"n": 3}
    assert [found.name for found in tmp_path.iterdir()] == ["manifest.json"]


def test_only_what_fits_the_pattern_and_is_not_kept_goes(tmp_path):
    for name in ("1.rows", "2.rows", "3.rows", "notes.txt"):
        (tmp_path / name).touch()
    (tmp_path / "4.rows").mkdir()  # cannot be deleted so, and is no harm

    delete_others(tmp_path, "*.rows", {tmp_path / "2.rows"})

    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.rows", "4.rows", "notes.txt"]
