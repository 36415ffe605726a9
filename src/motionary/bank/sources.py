"""Where motions come from: files, folders, archives and glob patterns."""

import glob
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from motionary.errors import UsageError
from motionary.formats import COMPANIONS, READABLE, format_of, stem_of

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
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
    """All motion files under `paths`, sorted as they are shown; archives are unpacked for as long as this lasts."""
    with ExitStack() as stack:
        found: dict[str, SourceFile] = {}
        for text in paths:
            for path in _expanded(str(text)):
                for source in _under(path, stack):
                    found.setdefault(source.shown, source)
        yield sorted(found.values())


def _expanded(text: str) -> list[Path]:
    """The paths that a text means: itself, or what a glob pattern matches."""
    path = Path(text).expanduser()
    if path.exists():
        return [path]
    if glob.has_magic(text):
        matches = sorted(glob.glob(str(path), recursive=True))
        if matches:
            return [Path(match) for match in matches]
        raise UsageError(f"{text}: no file fits this pattern")
    raise UsageError(f"{text}: no such file or folder")


def _under(path: Path, stack: ExitStack) -> Iterator[SourceFile]:
    if path.is_dir():
        yield from _in_folder(path, str(path))
    elif path.name.lower().endswith(ARCHIVES):
        unpacked = Path(stack.enter_context(TemporaryDirectory(prefix="motionary-")))
        _unpack(path, unpacked)
        yield from _in_folder(unpacked, str(path))
    elif format_of(path):
        yield SourceFile(str(path), path, stem_of(path), ())
    elif path.name.lower().endswith(COMPANIONS):
        raise UsageError(f"{path}: is the skeleton of .amc files; name those, the skeleton is found beside them")
    else:
        raise UsageError(
            f"{path}: not a motion file; known are {', '.join(READABLE)} and archives {', '.join(ARCHIVES)}"
        )


def _in_folder(folder: Path, shown: str) -> Iterator[SourceFile]:
    for path in folder.rglob("*"):
        relative = path.relative_to(folder)
        hidden = any(part.startswith((".", "__MACOSX")) for part in relative.parts)
        if format_of(path) and not hidden and path.is_file():
            folders = relative.parts[:-1]
            name = "/".join((*folders, stem_of(path)))
            yield SourceFile(str(Path(shown) / relative), path, name, folders)


def _unpack(archive: Path, into: Path) -> None:
    """Write the archive's motion files and skeletons below `into`, never outside it."""
    try:
        if archive.name.lower().endswith(".zip"):
            with zipfile.ZipFile(archive) as members:
                for info in members.infolist():
                    if _wanted(info.filename) and info.file_size <= MAX_MEMBER_BYTES:
                        _write(_inside(into, info.filename), members.read(info))
        else:
            with tarfile.open(archive) as tar:
                for member in tar:
                    file = tar.extractfile(member) if member.isfile() and _wanted(member.name) else None
                    if file is not None and member.size <= MAX_MEMBER_BYTES:
                        _write(_inside(into, member.name), file.read())
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        raise UsageError(f"{archive}: the archive cannot be unpacked ({error}); unpack it yourself") from error


def _wanted(name: str) -> bool:
    return name.lower().endswith((*READABLE, *COMPANIONS))


def _inside(folder: Path, name: str) -> Path:
    parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", "..", ".")]
    return folder.joinpath(*parts)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
