"""Reading any motion file, by its name."""

import gzip
import io
import zlib
from dataclasses import replace
from pathlib import Path

from motionary.errors import MotionFileError
from motionary.formats.asf_amc import amc_frame_time, find_asf, parse_asf_amc
from motionary.formats.bvh import parse_bvh
from motionary.formats.motion_file import MotionFile

MAX_BYTES = 4 << 30  # no text file of motion is larger; a gzip bomb is
BLOCK_BYTES = 1 << 20
AMC_FRAME_TIME = 1.0 / 120.0  # what nearly all Acclaim files were captured at; the files do not say
RATE_ASSUMED = "the file does not say its frame rate; 120 Hz is taken, --rate gives another"
READABLE = (".bvh", ".bvh.gz", ".amc", ".amc.gz")
COMPANIONS = (".asf", ".asf.gz")


def format_of(path: Path | str) -> str | None:
    """ "bvh" or "amc", by the file's ending; None if it is no motion file."""
    name = str(path).lower()
    if name.endswith(READABLE):
        return "bvh" if name.removesuffix(".gz").endswith(".bvh") else "amc"
    return None


def stem_of(path: Path | str) -> str:
    """The file's name without its ending, `.gz` included."""
    name = Path(path).name
    for ending in (*READABLE, *COMPANIONS):
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return Path(name).stem or name


def read_motion_file(
    path: Path | str,
    *,
    shown: str | None = None,
    truncate: bool = False,
    asf_path: Path | str | None = None,
    frame_time: float | None = None,
) -> MotionFile:
    """What the file at `path` holds; `shown` is the name that messages use.

    `frame_time` is for formats that do not say it (AMC: 120 Hz and a note, unless the name ends in another rate).
    """
    path, named = Path(path), Path(shown or path)
    kind = format_of(named)
    if kind is None:
        raise MotionFileError(named, None, "not a motion file that can be read", f"Known are {', '.join(READABLE)}.")
    data = read_bytes(path, named)
    if kind == "bvh":
        return parse_bvh(data, named, truncate=truncate)
    asf_path = find_asf(path) if asf_path is None else Path(asf_path)
    told = amc_frame_time(named) if frame_time is None else frame_time
    file = parse_asf_amc(
        read_bytes(asf_path, asf_path),
        data,
        asf_path=asf_path,
        amc_path=named,
        frame_time=AMC_FRAME_TIME if told is None else told,
        truncate=truncate,
    )
    return replace(file, notes=(*file.notes, RATE_ASSUMED)) if told is None else file


def read_bytes(path: Path, named: Path) -> bytes:
    """The file's bytes, unzipped if they are gzip's."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MotionFileError(
            named, None, f"cannot be read ({error.strerror})", "Check the path and its rights."
        ) from error
    return gunzip(data, named) if data[:2] == b"\x1f\x8b" else data


def gunzip(data: bytes, named: Path, *, max_bytes: int = MAX_BYTES) -> bytes:
    """The unzipped bytes; several gzip members may follow each other in one file."""
    parts: list[bytes] = []
    size = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            while part := file.read(BLOCK_BYTES):
                parts.append(part)
                size += len(part)
                if size > max_bytes:
                    raise MotionFileError(named, None, f"unzips to more than {max_bytes >> 20} MB", "Split it up.")
    except EOFError as error:
        raise MotionFileError(named, None, "the gzip file is cut off", "Fetch it again.") from error
    except (zlib.error, gzip.BadGzipFile) as error:
        raise MotionFileError(named, None, f"the gzip file is damaged ({error})", "Fetch it again.") from error
    return b"".join(parts)
