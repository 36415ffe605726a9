"""Pictures as an MP4 film, through ffmpeg where it is installed."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from PIL import Image

from motionary.errors import UsageError


def check_can_encode() -> None:
    """Raise if ffmpeg is not installed."""
    if shutil.which("ffmpeg") is None:
        raise UsageError("an .mp4 needs ffmpeg, which is not on the PATH; install it, or draw a .gif")


def mp4(pictures: Iterable[Image.Image], *, rate_hz: float) -> bytes:
    """The bytes of a film of pictures of one size: H.264, which browsers and video editors play.

    A width or height that is odd gets a white line, for the format has none.
    """
    check_can_encode()
    images = [picture.convert("RGB") for picture in pictures]
    width, height = images[0].size
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "film.mp4"  # ffmpeg goes back in it, so it cannot be a pipe
        command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"]
        command += ["-r", f"{rate_hz:g}", "-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white"]
        command += ["-pix_fmt", "yuv420p", "-movflags", "+faststart", str(film)]
        done = subprocess.run(
            command, input=b"".join(image.tobytes() for image in images), capture_output=True, check=False
        )
        if done.returncode or not film.is_file():
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise UsageError(f"ffmpeg could not make the film ({said[-1] if said else done.returncode}); draw a .gif")
        return film.read_bytes()
