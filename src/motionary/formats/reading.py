"""Reading any motion file, by its name."""

import gzip
import io
import zlib
from dataclasses import replace
from pathlib import Path

from motionary.errors import MotionFileError
from motionary.files import read_ordinary
from motionary.formats.asf_amc import amc_frame_time, find_asf, is_own_asf, parse_asf_amc
from motionary.formats.bvh import parse_bvh
from motionary.formats.motion_file import MotionFile

MAX_BYTES = 4 << 30  # no text file of motion is larger; a gzip bomb is
BLOCK_BYTES = 1 << 20
AMC_FRAME_TIME = 1.0 / 120.0  # what nearly all Acclaim files were captured at; the files do not say
RATE_ASSUMED = "the file does not say its frame rate; 120 Hz is taken, --rate gives another"
READABLE = (".bvh", ".bvh.gz", ".amc", ".amc.gz")
_AS_BVH = "open it in a program that reads it, such as Blender, and export BVH"
UNREAD = {  # motions that people have and this version does not read: what they are, what to do
    ".fbx": ("FBX", _AS_BVH),
    ".c3d": ("C3D markers", "solve them to a skeleton in the capture software and export BVH"),
    ".trc": ("TRC markers", "solve them to a skeleton in the capture software and export BVH"),
    ".glb": ("glTF", _AS_BVH),
    ".gltf": ("glTF", _AS_BVH),
    ".vrm": ("VRM", _AS_BVH),
    ".vrma": ("VRM animation", _AS_BVH),
    ".vmd": ("MikuMikuDance", _AS_BVH),
    ".dae": ("Collada", _AS_BVH),
    ".usd": ("USD", _AS_BVH),
    ".usdz": ("USD", _AS_BVH),
    ".blend": ("Blender", "open it in Blender and export BVH"),
    ".bip": ("Biped", "export BVH from 3ds Max"),
    ".htr": ("HTR", _AS_BVH),
    ".mvnx": ("Xsens MVNX", "export BVH from MVN"),
    ".npz": ("NumPy (AMASS, SMPL)", "convert it to BVH with the tools of its body model"),
    ".npy": ("NumPy", "convert it to BVH with the tools of its data set"),
    ".pkl": ("Python pickle", "convert it to BVH with the tools of its data set"),
}
COMPANIONS = (".asf", ".asf.gz")


def format_of(path: Path | str) -> str | None:
    """ "bvh" or "amc", by the file's ending; None if it is no motion file."""
    name = str(path).lower()
    if name.endswith(READABLE):
        return "bvh" if name.removesuffix(".gz").endswith(".bvh") else "amc"
    return None


def unread_ending(path: Path | str) -> str | None:
    """The ending of a motion file of a kind that this version does not read (a key of UNREAD), else None."""
    ending = Path(str(path).lower().removesuffix(".gz")).suffix
    return ending if ending in UNREAD else None


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
    if (ending := unread_ending(named)) is not None:
        what, remedy = UNREAD[ending]
        raise MotionFileError(
            named, None, f"{what} files are not supported by this version", remedy[0].upper() + remedy[1:] + "."
        )
    if kind is None:
        raise MotionFileError(
            named, None, "not a motion file that can be read", f"Supported are {', '.join(READABLE)}."
        )
    data = read_bytes(path, named)
    if kind == "bvh":
        return parse_bvh(data, named, truncate=truncate, any_rate=frame_time is not None)
    notes: tuple[str, ...] = ()
    if asf_path is None:
        asf_path = find_asf(path)
        if not is_own_asf(asf_path, path):
            notes = (
                f"{asf_path.name}, the only skeleton beside it, was taken; if it is another subject's, joints are off",
            )
    asf_path = Path(asf_path)
    told = amc_frame_time(named) if frame_time is None else frame_time
    file = parse_asf_amc(
        read_bytes(asf_path, asf_path),
        data,
        asf_path=asf_path,
        amc_path=named,
        frame_time=AMC_FRAME_TIME if told is None else told,
        truncate=truncate,
    )
    return replace(file, notes=(*notes, *file.notes, *((RATE_ASSUMED,) if told is None else ())))


def read_bytes(path: Path, named: Path) -> bytes:
    """The file's bytes, unzipped if they are gzip's."""
    try:
        data = read_ordinary(path, max_bytes=MAX_BYTES)
    except OSError as error:
        raise MotionFileError(
            named, None, f"cannot be read ({error.strerror})", "Check the path and its permissions."
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
                    raise MotionFileError(named, None, f"decompresses to more than {max_bytes >> 20} MB", "Split it.")
    except EOFError as error:
        raise MotionFileError(named, None, "the gzip file is truncated", "Download it again.") from error
    except (zlib.error, gzip.BadGzipFile) as error:
        raise MotionFileError(named, None, f"the gzip file is damaged ({error})", "Download it again.") from error
    return b"".join(parts)
