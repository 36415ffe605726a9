"""Reading any motion file, by its name."""

import zlib
from pathlib import Path

from motionary.errors import MotionFileError
from motionary.formats.asf_amc import amc_frame_time, find_asf, parse_asf_amc
from motionary.formats.bvh import parse_bvh
from motionary.formats.motion_file import MotionFile

MAX_BYTES = 4 << 30  # no text file of motion is larger; a gzip bomb is
AMC_FRAME_TIME = 1.0 / 120.0  # what nearly all Acclaim files were captured at; the files do not say
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
    path: Path,
    *,
    shown: str | None = None,
    truncate: bool = False,
    asf_path: Path | None = None,
    frame_time: float | None = None,
) -> MotionFile:
    """What the file at `path` holds; `shown` is the name that messages use.

    `frame_time` is for formats that do not say it (AMC: 120 Hz, unless the name ends in another rate).
    """
    named = Path(shown or path)
    kind = format_of(named)
    if kind is None:
        raise MotionFileError(named, None, "not a motion file that can be read", f"Known are {', '.join(READABLE)}.")
    data = read_bytes(path, named)
    if kind == "bvh":
        return parse_bvh(data, named, truncate=truncate)
    asf_path = asf_path or find_asf(path)
    return parse_asf_amc(
        read_bytes(asf_path, asf_path),
        data,
        asf_path=asf_path,
        amc_path=named,
        frame_time=frame_time or amc_frame_time(named) or AMC_FRAME_TIME,
        truncate=truncate,
    )


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
    """The unzipped bytes; several gzip members follow each other in one file."""
    parts: list[bytes] = []
    size = 0
    try:
        while data:
            stream = zlib.decompressobj(wbits=31)
            part = stream.decompress(data, max_bytes - size + 1)
            size += len(part)
            if size > max_bytes:
                raise MotionFileError(named, None, f"unzips to more than {max_bytes >> 20} MB", "Split it up.")
            if not stream.eof:
                raise MotionFileError(named, None, "the gzip file is cut off", "Fetch it again.")
            parts.append(part)
            data = stream.unused_data.lstrip(b"\0")
    except zlib.error as error:
        raise MotionFileError(named, None, f"the gzip file is damaged ({error})", "Fetch it again.") from error
    return parts[0] if len(parts) == 1 else b"".join(parts)
