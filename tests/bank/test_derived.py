"""Derived arrays: kept beside the bank, and made again whenever they are not what they should be."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bank.small_banks import recording
from motionary.bank import Bank, derived_array


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.add("walk", recording(0))
        bank.add("same", recording(0))
        bank.add("tall", recording(0, bone=30.0))
        yield bank


class Builder:
    """Counts how often it is asked."""

    def __init__(self, value: float = 1.0) -> None:
        self.n_built = 0
        self.value = value

    def __call__(self) -> np.ndarray:
        self.n_built += 1
        return np.full((3, 2), self.value)[:, ::-1]


def get(bank: Bank, build: Builder, *, clip: str = "walk", version: int = 1) -> np.ndarray:
    return derived_array(bank, bank.clip(clip), kind="speed", version=version, build=build)


def changed_header(whole: bytes, before: bytes, after: bytes) -> bytes:
    """A file of the same size with other words in its header."""
    assert before in whole
    return whole.replace(before, after.ljust(len(before)), 1)


def files(bank: Bank) -> list[Path]:
    return sorted(path for path in bank.derived_path.rglob("*") if path.is_file())


def test_built_once_and_mapped_afterwards(bank: Bank) -> None:
    build = Builder()

    for _ in range(3):
        array = get(bank, build)
        assert isinstance(array, np.memmap)
        assert np.array_equal(array, np.ones((3, 2)))
        assert not array.flags.writeable

    assert get(bank, build, clip="same").shape == (3, 2)
    assert build.n_built == len(files(bank)) == 1
    get(bank, build, clip="tall")
    assert build.n_built == 2


@pytest.mark.parametrize("bad", [b"", b"\0" * 300, b"PK\x03\x04 not numpy's", b"\x93NUMPY\x01\x00v\x00{'descr'", None])
def test_damaged_or_deleted_is_built_again(bank: Bank, bad: bytes | None) -> None:
    build = Builder()
    get(bank, build)
    (path,) = files(bank)
    if bad is None:
        path.unlink()
    else:
        path.write_bytes(bad)

    assert np.array_equal(get(bank, build), np.ones((3, 2)))
    assert np.array_equal(get(bank, build), np.ones((3, 2)))
    assert build.n_built == 2


def test_cut_off_anywhere_is_built_again(bank: Bank) -> None:
    build = Builder()
    get(bank, build)
    (path,) = files(bank)
    whole = path.read_bytes()
    for size in range(0, len(whole), 5):
        path.write_bytes(whole[:size])
        assert np.array_equal(get(bank, build), np.ones((3, 2)))
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("before", "after"),
    [(b"'shape'", b"'sha(pe"), (b"(3, 2)", b"(3, 2("), (b"'<f8'", b"'<f8"), (b"'<f8'", b"5"), (b"(3, 2)", b"(-3,2)")],
)
def test_a_damaged_header_is_built_again(bank: Bank, before: bytes, after: bytes) -> None:
    build = Builder()
    get(bank, build)
    (path,) = files(bank)
    path.write_bytes(changed_header(path.read_bytes(), before, after))

    assert np.array_equal(get(bank, build), np.ones((3, 2)))
    assert build.n_built == 2


@pytest.mark.parametrize(("before", "after"), [(b"(3, 2)", b"(2, 3)"), (b"(3, 2)", b"(6,  )"), (b"<f8", b"<i8")])
def test_another_shape_or_type_is_built_again(bank: Bank, before: bytes, after: bytes) -> None:
    build = Builder()

    def ask(shape: tuple[int | None, ...] = (None, 2)) -> np.ndarray:
        return derived_array(bank, bank.clip("walk"), kind="s", version=1, build=build, shape=shape, dtype=np.float64)

    ask()
    (path,) = files(bank)
    path.write_bytes(changed_header(path.read_bytes(), before, after))

    assert np.array_equal(ask(), np.ones((3, 2)))
    assert np.array_equal(ask((3, 2)), np.ones((3, 2)))
    assert build.n_built == 2
    with pytest.raises(AssertionError, match=r"s was built as float64 \(3, 2\), not as .* \(4, 2\)"):
        ask((4, 2))


def test_another_version_is_another_array(bank: Bank) -> None:
    get(bank, Builder(1.0))
    assert get(bank, Builder(2.0), version=2)[0, 0] == 2.0
    assert get(bank, Builder(3.0))[0, 0] == 1.0


def test_a_folder_that_cannot_be_written_costs_only_time(bank: Bank) -> None:
    bank.derived_path.write_text("a file is in the way")
    build = Builder()

    for _ in range(2):
        array = get(bank, build)
        assert np.array_equal(array, np.ones((3, 2)))
        assert not array.flags.writeable
    assert build.n_built == 2
