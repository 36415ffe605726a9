"""Films, by a program in ffmpeg's place that writes down what it was given."""

import sys

import pytest
from PIL import Image

from motionary.errors import UsageError
from motionary.picture.show import check_can_draw
from motionary.picture.video import mp4

PICTURES = [Image.new("RGB", (5, 4), colour) for colour in ("#ff0000", "#0000ff", "#00ff00")]


@pytest.fixture
def ffmpeg(tmp_path, monkeypatch):
    """Puts a program in ffmpeg's place."""

    def put(body: str) -> None:
        program = tmp_path / "ffmpeg"
        program.write_text(f"#!{sys.executable}\nimport sys\n{body}\n")
        program.chmod(0o755)

    monkeypatch.setenv("PATH", str(tmp_path))
    return put


def test_all_pixels_reach_ffmpeg_with_size_and_rate(ffmpeg):
    ffmpeg("open(sys.argv[-1], 'wb').write(' '.join(sys.argv[1:-1]).encode() + b'|' + sys.stdin.buffer.read())")

    words, _, pixels = mp4(iter(PICTURES), rate_hz=25.0).partition(b"|")

    assert b"-s 5x4 -r 25 " in words
    assert pixels == b"".join(picture.tobytes() for picture in PICTURES)


def test_what_ffmpeg_complains_about_is_told(ffmpeg):
    ffmpeg("sys.stdin.buffer.read(); sys.exit('Unknown encoder')")

    with pytest.raises(UsageError, match=r"ffmpeg could not make the film \(Unknown encoder\); draw a .gif"):
        mp4(PICTURES, rate_hz=25.0)


def test_without_ffmpeg_it_is_said_before_anything_is_drawn(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"an \.mp4 needs ffmpeg, which is not on the PATH"):
        check_can_draw(tmp_path / "film.mp4")
    with pytest.raises(UsageError, match=r"does not end in \.png or \.svg"):
        check_can_draw(tmp_path / "film.mp4", may_move=False)
