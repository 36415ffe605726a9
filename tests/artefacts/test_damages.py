"""Damaged derived data of every kind: answers stay those of an undamaged bank, check finds it, and it is mended."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from command_line import invoke
from conftest import swaying_body
from features.moving_bodies import wild_body
from motionary.artefacts import ArtefactStore
from motionary.bank import Bank
from motionary.facts import describe
from motionary.motion import recording_of
from motionary.search import build_web, search_bank, search_pose_space, search_web


def matches(result) -> list[object]:
    return [(match.as_json(), match.alignment.pairs.tolist()) for match in result.matches]


def exact(bank: Bank) -> object:
    return matches(search_bank(bank, "take 0:0-40", k=20)), matches(search_bank(bank, "take 1:0-30", by="scan"))


def poses(bank: Bank) -> object:
    return matches(search_pose_space(bank, "take 0:10-50"))


def web(bank: Bank) -> object:
    return [matches(search_web(bank, f"{clip.name}:0-40", steps=2)) for clip in bank.clips()]


def curves(bank: Bank) -> object:
    facts = describe(bank, "take 0")
    return facts.speed.tobytes(), facts.contacts.tobytes()


KINDS = {  # and a request that needs all of its tables
    "features": exact,
    "index": exact,
    "pose-space": poses,
    "pose-points": poses,
    "web": web,
    "curves": curves,
}


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 16
    path.write_bytes(data)


def zero(path: Path) -> None:
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 4096] = bytes(len(data[middle : middle + 4096]))
    path.write_bytes(data if bytes(data) != path.read_bytes() else b"\x01" * len(data))


def nan(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8:16] = np.array([np.nan, np.nan], dtype=np.float32).tobytes()[: len(data[8:16])]
    path.write_bytes(data)


DAMAGES = {
    "a page of zeros": zero,
    "one flipped bit": flip,
    "a NaN": nan,
    "cut off": lambda path: os.truncate(path, path.stat().st_size // 2),
    "a foreign file": lambda path: path.write_bytes(b"GIF89a" * (path.stat().st_size // 6 + 1)),
    "missing": Path.unlink,
}


def made(path: Path, seeds: range) -> None:
    with Bank.open(path, create=True) as bank:
        for n, seed in enumerate(seeds):
            bank.add(f"take {n}", recording_of(wild_body(seed, n_frames=90, frame_time=1 / 30)))
        bank.add("sway", recording_of(swaying_body(3, n_frames=60)))
        bank.add("sway again", recording_of(swaying_body(3, n_frames=60).slice(4, 60)))
        build_web(bank)
        for ask in KINDS.values():
            ask(bank)


@pytest.fixture(scope="module")
def banks(tmp_path_factory):
    """A bank with derived data of every kind, its right answers, and another bank with the same kinds."""
    folder = tmp_path_factory.mktemp("damages")
    made(folder / "a.bank", range(3))
    made(folder / "b.bank", range(3, 6))
    with Bank.open(folder / "a.bank") as bank:
        return folder, {kind: ask(bank) for kind, ask in KINDS.items()}


@pytest.fixture
def bank(banks, tmp_path):
    shutil.copy(banks[0] / "a.bank", tmp_path / "a.bank")
    shutil.copytree(banks[0] / "a.bank.derived", tmp_path / "a.bank.derived")
    with Bank.open(tmp_path / "a.bank") as bank:
        yield bank


def tables(bank_path: Path, kind: str) -> list[Path]:
    """The files with rows of one kind, the largest last."""
    found = [
        path for path in (ArtefactStore.beside(bank_path).folder / kind).glob("*/*.*") if path.suffix[1:].isdigit()
    ]
    return sorted((path for path in found if path.stat().st_size), key=lambda path: path.stat().st_size)


def is_mended(bank: Bank, kind: str, expected: object) -> bool:
    ask = KINDS[kind]
    return ask(bank) == expected and ask(bank) == expected


def test_every_kind_is_there_and_whole(bank):
    store = ArtefactStore.of(bank)

    assert {entry.kind for entry in store.entries()} == set(KINDS)
    assert store.check() == []


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_damage_changes_an_answer(bank, banks, kind, damage):
    for path in tables(bank.path, kind) if kind != "features" else tables(bank.path, kind)[-1:]:
        DAMAGES[damage](path)

    assert any(kind in problem for problem in ArtefactStore.of(bank).check())
    assert is_mended(bank, kind, banks[1][kind])
    assert ArtefactStore.of(bank).check() == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("whole", [True, False], ids=["all of it", "only its tables"])
def test_the_files_of_another_bank_are_not_taken(bank, banks, kind, whole):
    theirs = tables(banks[0] / "b.bank", kind)
    for ours in tables(bank.path, kind):
        (other,) = (path for path in theirs if path.name == ours.name) if kind != "curves" else theirs[-1:]
        ours.write_bytes(other.read_bytes())
        if whole:
            (ours.parent / "manifest").write_bytes((other.parent / "manifest").read_bytes())

    assert is_mended(bank, kind, banks[1][kind])


def test_a_damaged_manifest_is_mended(bank, banks):
    for kind in KINDS:
        for path in (bank.derived_path / kind).glob("*/manifest"):
            flip(path)

    assert len(ArtefactStore.of(bank).check()) >= len(KINDS)
    build_web(bank)
    assert all(is_mended(bank, kind, banks[1][kind]) for kind in KINDS)
    assert ArtefactStore.of(bank).check() == []


def test_the_command_line_checks_lists_and_removes(bank):
    flip(tables(bank.path, "features")[-1])

    checked = invoke(["check", str(bank.path)])
    quick = invoke(["check", "--quick", str(bank.path)])
    listed = invoke(["artefacts", "ls", str(bank.path)])
    removed = invoke(["artefacts", "rm", str(bank.path), "features"])

    assert (checked.exit_code, quick.exit_code) == (1, 0)
    assert "derived data features/30hz" in checked.stdout
    assert "pose-points" in listed.stdout
    assert removed.stdout.startswith("removed features/30hz")
    assert invoke(["check", str(bank.path)]).exit_code == 0
