"""A small bank of the sample library, read by several tests; who writes takes a copy."""

from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

import pytest

from motionary.bank import Bank
from motionary.sample import sample_into


@pytest.fixture(scope="session")
def sample_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank that nobody writes to."""
    path = tmp_path_factory.mktemp("graphs") / "sample.bank"
    with Bank.open(path, create=True) as bank:
        sample_into(bank, minutes=1.0, seed=3)
    return path


@pytest.fixture
def sampled(sample_path: Path, tmp_path: Path) -> Callable[[], Path]:
    """Makes a copy of it."""

    def copy() -> Path:
        copyfile(sample_path, tmp_path / "copy.bank")
        return tmp_path / "copy.bank"

    return copy
