"""Where motions come from: files, folders, archives and glob patterns."""

import glob
import lzma
import os
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from motionary.bank.clips import possible_clip_name
from motionary.errors import UsageError
from motionary.files import scratch_folder
from motionary.formats import COMPANIONS, READABLE, UNREAD, format_of, stem_of, unread_ending

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError)
HIDDEN = (".", "__MACOSX")
MAX_MEMBER_BYTES = 4 << 30
MAX_UNPACKED_BYTES = 32 << 30  # of all archives of one import together


@dataclass(frozen=True, slots=True, order=True)
class SourceFile:
    """A motion file: how it is shown, where it can be read, and the clip name and folders it suggests."""

    shown: str
    path: Path
    name: str
    folders: tuple[str, ...]  # below what the user named, at least the one that the file lies in


@dataclass(frozen=True, slots=True)
class Sources:
    """What was found: motion files, sorted as they are shown, and paths that cannot be read, each with the reason."""

    files: tuple[SourceFile, ...]
    failed: tuple[tuple[str, str], ...]
    passed_over: tuple[tuple[str, int], ...] = ()  # endings of motion files that this version does not read: how many


@contextmanager
def source_files(paths: Sequence[Path | str]) -> Iterator[Sources]:
    """All motion files under `paths`; archives are unpacked for as long as this lasts.

    A path that is wrong does not keep the others from being read; if there is no motion file at all, it is an error.
    """
    with ExitStack() as stack:
        search = _Search(stack)
        for text in map(str, paths):
            search.look_at(text)
        passed_over = tuple(sorted(search.passed_over.items()))
        if not search.found:
            reasons = [*(why for _, why in search.failed), *map(not_read, passed_over)]
            raise UsageError("\n".join(reasons) or "no path given; name files or folders")
        yield Sources(tuple(sorted(search.found.values())), tuple(search.failed), passed_over)


def not_read(passed_over: tuple[str, int]) -> str:
    """What to tell of files with an ending that this version does not read."""
    ending, n_files = passed_over
    what, remedy = UNREAD[ending]
    files = "1 file" if n_files == 1 else f"{n_files:,} files"
    return f"{files} {ending} ({what}) not supported by this version; {remedy}"


class _Search:
    """Collects the motion files under several paths."""

    def __init__(self, stack: ExitStack) -> None:
        self.stack = stack  # of unpacked archives
        self.found: dict[str, SourceFile] = {}
        self.failed: list[tuple[str, str]] = []
        self.passed_over: Counter[str] = Counter()
        self.n_bytes = 0  # unpacked so far

    def look_at(self, text: str) -> None:
        """Take in what a path, or a pattern of paths, stands for."""
        n_failed, any_here = len(self.failed), False
        try:
            for path in _expanded(text):
                for source in self._under(path):
                    self.found.setdefault(source.shown, source)
                    any_here = True
        except UsageError as error:
            self.failed.append((text, str(error)))
        if not any_here and len(self.failed) == n_failed:
            self.failed.append(
                (text, f"{text}: no motion file in this folder or its subfolders; supported are {', '.join(READABLE)}")
            )

    def _under(self, path: Path) -> Iterator[SourceFile]:
        if path.is_dir():
            yield from self._in_folder(path, path, ())
        elif not path.is_file():
            raise UsageError(f"{path}: is not a regular file")
        elif _is_archive(path):
            yield from self._in_archive(path, path, ())
        elif format_of(path):
            yield _source(path, path, (), os.path.basename(os.path.dirname(os.path.abspath(path))))
        elif path.name.lower().endswith(COMPANIONS):
            raise UsageError(
                f"{path}: is the skeleton of .amc files; import those, and the skeleton is found automatically"
            )
        elif (ending := unread_ending(path)) is not None:
            what, remedy = UNREAD[ending]
            raise UsageError(f"{path}: {what} files are not supported by this version; {remedy}")
        else:
            raise UsageError(
                f"{path}: not a motion file; supported are {', '.join(READABLE)} and archives {', '.join(ARCHIVES)}"
            )

    def _in_folder(self, folder: Path, shown: Path, above: tuple[str, ...]) -> Iterator[SourceFile]:
        """The motion files of a folder (or unpacked archive) that stands below the folders `above`."""
        own_name = _archive_stem(shown) if _is_archive(shown) else os.path.basename(os.path.abspath(shown))
        for path in _files_below(folder, self._cannot_list):
            relative = path.relative_to(folder)
            folders = (*above, *relative.parts[:-1])
            if format_of(path):
                yield _source(path, shown / relative, folders, own_name)
            elif _is_archive(path):
                try:
                    yield from self._in_archive(path, shown / relative, (*folders, _archive_stem(path)))
                except UsageError as error:
                    self.failed.append((_as_text(shown / relative), str(error)))
            elif (ending := unread_ending(path)) is not None:
                self.passed_over[ending] += 1

    def _in_archive(self, archive: Path, shown: Path, above: tuple[str, ...]) -> Iterator[SourceFile]:
        try:
            unpacked = self.stack.enter_context(scratch_folder())
        except OSError as error:
            raise UsageError(f"{archive}: no temporary folder to unpack it ({error}); set TMPDIR") from error
        for nested in self._unpack(archive, unpacked):
            why = f"{shown / nested}: is an archive within an archive; unpack the outer one yourself"
            self.failed.append((str(shown / nested), why))
        yield from self._in_folder(unpacked, shown, above)

    def _unpack(self, archive: Path, into: Path) -> list[str]:
        """Write the archive's motion files and skeletons below `into`, never outside it; returns archives inside it."""
        nested: list[str] = []
        try:
            if archive.name.lower().endswith(".zip"):
                with zipfile.ZipFile(archive) as members:
                    for info in members.infolist():
                        nested += self._seen_inside(info.filename)
                        if _wanted(info.filename) and not info.is_dir():
                            with members.open(info) as file:
                                self._write(_inside(into, info.filename), file, archive)
            else:
                with tarfile.open(archive) as tar:
                    for member in tar:
                        nested += self._seen_inside(member.name)
                        content = tar.extractfile(member) if member.isfile() and _wanted(member.name) else None
                        if content is not None:
                            self._write(_inside(into, member.name), content, archive)
        except (*BROKEN, EOFError, OSError, RuntimeError) as error:
            raise UsageError(f"{archive}: the archive cannot be unpacked ({error}); unpack it yourself") from error
        return nested

    def _seen_inside(self, name: str) -> list[str]:
        """The name if it is an archive's; counts motion files that are not read."""
        if (ending := unread_ending(name)) is not None:
            self.passed_over[ending] += 1
        return [name] if _is_archive(name) else []

    def _write(self, path: Path, content: IO[bytes], archive: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        n_bytes = 0
        with path.open("wb") as file:
            while block := content.read(1 << 20):
                n_bytes += len(block)
                self.n_bytes += len(block)
                if n_bytes > MAX_MEMBER_BYTES:
                    raise UsageError(
                        f"{archive}: {path.name} unpacks to more than {MAX_MEMBER_BYTES >> 30} GB; split it"
                    )
                if self.n_bytes > MAX_UNPACKED_BYTES:
                    raise UsageError(
                        f"{archive}: the archives unpack to more than {MAX_UNPACKED_BYTES >> 30} GB in total; "
                        "unpack it "
                        "yourself, or import fewer at a time"
                    )
                file.write(block)

    def _cannot_list(self, error: OSError) -> None:
        why = f"{error.filename}: cannot be read ({error.strerror}); check its rights"
        self.failed.append((str(error.filename), why))


def _source(path: Path, shown: Path, folders: tuple[str, ...], folder: str) -> SourceFile:
    """The file below `folders`; `folder` is the one that it lies in if there are none."""
    name = possible_clip_name("/".join((*folders, stem_of(path))))
    named = folders or ((folder,) if folder else ())
    return SourceFile(_as_text(shown), path, name, tuple(map(possible_clip_name, named)))


def _expanded(text: str) -> list[Path]:
    """The paths that a text means: itself, or the folders, archives and motion files that a pattern fits."""
    try:
        path = Path(text).expanduser()
        if path.exists():
            return [path]
    except (OSError, RuntimeError) as error:  # RuntimeError: nobody's home
        raise UsageError(f"{text}: cannot be read ({error}); check the path and its permissions") from error
    if glob.has_magic(text):
        matches = [Path(match) for match in glob.glob(str(path), recursive=True)]
        wanted = [match for match in sorted(matches) if _fits_a_pattern(match)]
        if wanted:
            return wanted
        raise UsageError(f"{text}: no motion file matches this pattern")
    raise UsageError(f"{text}: no such file or folder")


def _fits_a_pattern(path: Path) -> bool:
    if "__MACOSX" in path.parts:  # other hidden files fit a pattern only if it names them
        return False
    return path.is_dir() or path.name.lower().endswith((*READABLE, *ARCHIVES))


def _is_archive(path: Path | str) -> bool:
    return str(path).lower().endswith(ARCHIVES)


def _archive_stem(path: Path) -> str:
    """The archive's name without its ending: it stands for a folder."""
    ending = max((ending for ending in ARCHIVES if path.name.lower().endswith(ending)), key=len)
    return path.name[: -len(ending)] or path.name


def _files_below(folder: Path, cannot_list: Callable[[OSError], None]) -> Iterator[Path]:
    """All files but hidden ones; links to folders are followed, each folder is visited once."""
    seen: set[str] = set()
    for parent, folders, files in os.walk(folder, followlinks=True, onerror=cannot_list):
        real = os.path.realpath(parent)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith(HIDDEN))
        yield from (
            Path(parent, name) for name in files if not name.startswith(HIDDEN) and Path(parent, name).is_file()
        )


def _as_text(path: Path) -> str:
    """The path as text; bytes that stand for no letter are written as \\xff."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _wanted(name: str) -> bool:
    return name.lower().endswith((*READABLE, *COMPANIONS))


def _inside(folder: Path, name: str) -> Path:
    parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", "..", ".")]
    return folder.joinpath(*parts)
