import os
from pathlib import Path

import pytest

from motionary.files import read_ordinary


def test_an_ordinary_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")

    assert read_ordinary(tmp_path / "a") == b"abc"
    with pytest.raises(OSError, match="more than 0 MB"):
        read_ordinary(tmp_path / "a", max_bytes=2)


def test_a_pipe_or_device_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")

    for name in ("pipe", "link", "."):
        with pytest.raises(OSError, match=r"not a regular file|Is a directory"):
            read_ordinary(tmp_path / name)
