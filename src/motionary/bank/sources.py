"""Where motions come from: files, folders, archives and glob patterns."""

import glob
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO

from motionary.bank.clips import possible_clip_name
from motionary.errors import UsageError
from motionary.formats import COMPANIONS, READABLE, format_of, stem_of

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
HIDDEN = (".", "__MACOSX")
MAX_MEMBER_BYTES = 4 << 30


@dataclass(frozen=True, slots=True, order=True)
class SourceFile:
    """A motion file: how it is shown, where it can be read, and the clip name and folders it suggests."""

    shown: str
    path: Path
    name: str
    folders: tuple[str, ...]  # below what the user named


@contextmanager
def source_files(paths: Sequence[Path | str]) -> Iterator[list[SourceFile]]:
    """All motion files under `paths`, sorted as they are shown; archives are unpacked for as long as this lasts.

    A path with no motion file under it is an error.
    """
    with ExitStack() as stack:
        found: dict[str, SourceFile] = {}
        for text in map(str, paths):
            here = [source for path in _expanded(text) for source in _under(path, stack)]
            if not here:
                raise UsageError(
                    f"{text}: no motion file here or below; looked for {', '.join(READABLE)}. "
                    "Archives have to be named themselves"
                )
            for source in here:
                found.setdefault(source.shown, source)
        yield sorted(found.values())


def _expanded(text: str) -> list[Path]:
    """The paths that a text means: itself, or the folders, archives and motion files that a pattern fits."""
    try:
        path = Path(text).expanduser()
        if path.exists():
            return [path]
    except (OSError, RuntimeError) as error:  # RuntimeError: nobody's home
        raise UsageError(f"{text}: cannot be read ({error}); check the path and its rights") from error
    if glob.has_magic(text):
        matches = [Path(match) for match in glob.glob(str(path), recursive=True)]
        wanted = [match for match in sorted(matches) if _fits_a_pattern(match)]
        if wanted:
            return wanted
        raise UsageError(f"{text}: no motion file fits this pattern")
    raise UsageError(f"{text}: no such file or folder")


def _fits_a_pattern(path: Path) -> bool:
    if "__MACOSX" in path.parts:  # other hidden files fit a pattern only if it names them
        return False
    return path.is_dir() or path.name.lower().endswith((*READABLE, *ARCHIVES))


def _under(path: Path, stack: ExitStack) -> Iterator[SourceFile]:
    if path.is_dir():
        yield from _in_folder(path, str(path))
    elif path.name.lower().endswith(ARCHIVES):
        unpacked = Path(stack.enter_context(TemporaryDirectory(prefix="motionary-")))
        _unpack(path, unpacked)
        yield from _in_folder(unpacked, str(path))
    elif format_of(path):
        yield SourceFile(_as_text(path), path, possible_clip_name(stem_of(path)), ())
    elif path.name.lower().endswith(COMPANIONS):
        raise UsageError(f"{path}: is the skeleton of .amc files; name those, the skeleton is found beside them")
    else:
        raise UsageError(
            f"{path}: not a motion file; known are {', '.join(READABLE)} and archives {', '.join(ARCHIVES)}"
        )


def _in_folder(folder: Path, shown: str) -> Iterator[SourceFile]:
    for path in _files_below(folder):
        relative = path.relative_to(folder)
        if format_of(path):
            folders = relative.parts[:-1]
            name = possible_clip_name("/".join((*folders, stem_of(path))))
            yield SourceFile(_as_text(Path(shown) / relative), path, name, tuple(map(possible_clip_name, folders)))


def _files_below(folder: Path) -> Iterator[Path]:
    """All files but hidden ones; links to folders are followed, each folder is visited once."""
    seen: set[str] = set()
    for parent, folders, files in os.walk(folder, followlinks=True, onerror=_cannot_list):
        real = os.path.realpath(parent)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith(HIDDEN))
        yield from (
            Path(parent, name) for name in files if not name.startswith(HIDDEN) and Path(parent, name).is_file()
        )


def _cannot_list(error: OSError) -> None:
    raise UsageError(f"{error.filename}: cannot be read ({error.strerror}); check its rights") from error


def _as_text(path: Path) -> str:
    """The path as text; bytes that stand for no letter are written as \\xff."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _unpack(archive: Path, into: Path) -> None:
    """Write the archive's motion files and skeletons below `into`, never outside it."""
    try:
        if archive.name.lower().endswith(".zip"):
            with zipfile.ZipFile(archive) as members:
                for info in members.infolist():
                    if _wanted(info.filename) and not info.is_dir():
                        with members.open(info) as file:
                            _write(_inside(into, info.filename), file, archive)
        else:
            with tarfile.open(archive) as tar:
                for member in tar:
                    content = tar.extractfile(member) if member.isfile() and _wanted(member.name) else None
                    if content is not None:
                        _write(_inside(into, member.name), content, archive)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError) as error:
        raise UsageError(f"{archive}: the archive cannot be unpacked ({error}); unpack it yourself") from error


def _wanted(name: str) -> bool:
    return name.lower().endswith((*READABLE, *COMPANIONS))


def _inside(folder: Path, name: str) -> Path:
    parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", "..", ".")]
    return folder.joinpath(*parts)


def _write(path: Path, content: IO[bytes], archive: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    n_bytes = 0
    with path.open("wb") as file:
        while block := content.read(1 << 20):
            n_bytes += len(block)
            if n_bytes > MAX_MEMBER_BYTES:
                raise UsageError(
                    f"{archive}: {path.name} unpacks to more than {MAX_MEMBER_BYTES >> 30} GB; split it up"
                )
            file.write(block)
