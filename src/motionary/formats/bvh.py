"""BVH files: bytes to recordings. Whatever is odd is noted, whatever is wrong is an error with its line."""

import codecs
import re
from pathlib import Path

import numpy as np

from motionary.errors import MotionFileError
from motionary.formats.bvh_hierarchy import (
    CONFLICT_MARKS,
    POINT_FOR_COMMA,
    Hierarchy,
    Source,
    has_decimal_comma,
    parse_hierarchies,
    quoted,
)
from motionary.formats.bvh_meaning import position_meaning
from motionary.formats.bvh_numbers import Frames, Outcome, count_lines, lines_fit_frames, read_frames
from motionary.formats.bvh_write import bvh_text
from motionary.formats.motion_file import MotionFile
from motionary.motion import ChannelLayout, Recording

__all__ = ["bvh_text", "parse_bvh"]

FRAME_TIMES_SECS = (1e-5, 1.0)
FRAMES = re.compile(rb"(?i)\s*frames\s*:?")
FRAME_TIME = re.compile(rb"(?i)\s*frame[ \t]*time\s*:?")
OTHER_FILES = (  # how it begins, what it is, what to do
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself", "Fetch the file with 'git lfs pull'."),
    (b"<!doctype html", "a web page", "Download the file itself, not the page about it."),
    (b"<html", "a web page", "Download the file itself, not the page about it."),
    (b"kaydara fbx", "an FBX file", "Export it as BVH."),
    (b"gltf", "a GLB file", "Export the motion as BVH."),
    (b"pk\x03\x04", "a zip archive", "Import it under a name that ends in .zip."),
    (b"\x1f\x8b", "compressed with gzip", "Import it under a name that ends in .gz."),
)


def parse_bvh(data: bytes, path: Path, *, truncate: bool = False, any_rate: bool = False) -> MotionFile:
    """The recordings in the bytes of a BVH file, one for each ROOT; `path` is for messages only.

    `truncate` takes the good frames before the first wrong place of the motion, at least one. `any_rate` takes any
    frame time above 0, where another one will be set.
    """
    source = Source(_plain(data, path), path)
    _check_kind(source)
    hierarchies, position = parse_hierarchies(source)
    n_frames, frame_time, position = _motion_header(source, position, any_rate=any_rate)
    n_channels = sum(len(hierarchy.channel_joints) for hierarchy in hierarchies)
    if n_channels == 0:
        raise source.error(position, "no joint has channels, so there is no motion", "Export the file again.")
    values, notes = _read_motion(source, position, n_frames, n_channels, truncate)
    recordings = []
    for hierarchy in hierarchies:
        n_own = len(hierarchy.channel_joints)
        recording, own_notes = _recording(hierarchy, values[:, :n_own], frame_time)
        prefix = f"{recording.skeleton.names[0]}: " if len(hierarchies) > 1 else ""
        recordings.append(recording)
        notes += [prefix + note for note in own_notes]
        values = values[:, n_own:]
    if len(hierarchies) > 1:
        names = ", ".join(hierarchy.skeleton.names[0] for hierarchy in hierarchies)
        notes.insert(0, f"{len(hierarchies)} roots, each a recording of its own: {names}")
    return MotionFile(tuple(recordings), tuple(notes))


def _plain(data: bytes, path: Path) -> bytes:
    """The bytes as ASCII with UTF-8 or Latin-1 names, without a byte order mark."""
    if data.startswith(codecs.BOM_UTF8):
        return data[len(codecs.BOM_UTF8) :]
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode()
        except UnicodeError:
            raise MotionFileError(
                path, 1, "the file starts like UTF-16 text, but is not", "Save it as plain text (UTF-8)."
            ) from None
    return data


def _check_kind(source: Source) -> None:
    """Raise if this is not BVH at all, and say what it is instead."""
    if not source.word(0):
        raise source.error(0, "the file is empty", "Copy or export it again.")
    begins = source.data[:100].lstrip().lower()
    for mark, kind, remedy in OTHER_FILES:
        if begins.startswith(mark):
            raise source.error(0, f"this is {kind}", remedy)


def _motion_header(source: Source, position: int, *, any_rate: bool) -> tuple[int, float, int]:
    """(frames, frame time, position behind them): what stands between MOTION and the numbers."""
    n_frames, frame_time = None, None
    for _ in range(2):
        if found := FRAME_TIME.match(source.data, position):
            frame_time, end = source.number(found.end(), "Frame Time")
            low, high = FRAME_TIMES_SECS
            if not (any_rate or low <= frame_time <= high):
                raise source.error(
                    found.end(),
                    f"a Frame Time of {frame_time:g} s is not possible; it must be between {low:g} and {high:g}",
                    "Write the time between frames in seconds, such as 0.0333333 for 30 Hz, or set "
                    "the rate with --rate.",
                )
        elif found := FRAMES.match(source.data, position):
            announced, end = source.number(found.end(), "Frames")
            if not (np.isfinite(announced) and announced == int(announced) and announced >= 1):
                remedy = "The file holds no motion." if announced == 0 else "Write how many frames follow."
                raise source.error(found.end(), f"Frames: {announced:g} is not a number of frames", remedy)
            n_frames = int(announced)
        else:
            break
        position = end
    for value, name in ((n_frames, "Frames:"), (frame_time, "Frame Time:")):
        if value is None:
            raise source.error(position, f"{name} is missing after MOTION", "Add that line, or export the file again.")
    assert n_frames is not None
    assert frame_time is not None
    return n_frames, frame_time, position


def _read_motion(
    source: Source, start: int, n_frames: int, n_channels: int, truncate: bool
) -> tuple[np.ndarray, list[str]]:
    """The announced frames (F, N), or with `truncate` the good ones among them, and notes."""
    text = np.frombuffer(source.data, dtype=np.uint8)
    frames = read_frames(text, start, n_frames=n_frames, n_channels=n_channels)
    if frames.outcome == Outcome.COMPLETE:
        return frames.values, _left_over(text, frames, n_channels)
    if frames.outcome == Outcome.WRONG_COUNT and lines_fit_frames(
        text, start, n_frames=n_frames, n_channels=n_channels
    ):
        flowing = read_frames(text, start, n_frames=n_frames, n_channels=n_channels, by_line=False)
        if flowing.outcome == Outcome.COMPLETE:
            return flowing.values, ["frames and lines do not coincide; the numbers were counted off instead"]
        frames = flowing
    problem, remedy = _what_is_wrong(source, frames, n_frames, n_channels)
    n_good = len(frames.values)
    if truncate and n_good > 0:
        line = source.line(frames.position)
        return frames.values, [f"{n_good} of {n_frames} announced frames were taken; line {line}: {problem}"]
    way_out = f" --truncate imports the {_counted(n_good, 'frame')} before it." if n_good > 0 else ""
    raise source.error(frames.position, problem, remedy + way_out)


def _left_over(text: np.ndarray, frames: Frames, n_channels: int) -> list[str]:
    n_lines, n_alike = count_lines(text, frames.position, n_channels)
    if n_lines == 0:
        return []
    alike = f", {n_alike} of them like frames" if n_alike else ""
    return [f"{_counted(n_lines, 'line')} not read behind the {len(frames.values)} announced frames{alike}"]


def _what_is_wrong(source: Source, frames: Frames, n_frames: int, n_channels: int) -> tuple[str, str]:
    """The problem and its remedy where reading frames ended early."""
    n_good = len(frames.values)
    if frames.outcome == Outcome.ENDED:
        return (
            f"{n_frames} frames announced, but the file ends after {n_good}",
            "The file may be cut off, or its count wrong.",
        )
    if frames.outcome == Outcome.WRONG_COUNT:
        start = max(source.data.rfind(b"\n", 0, frames.position), source.data.rfind(b"\r", 0, frames.position)) + 1
        n_words = len(source.rest_of_line(start).split())
        return (
            f"frame {n_good} has {n_words} values, expected {n_channels}",
            "The file may be cut off, or its hierarchy may belong to another motion.",
        )
    word = source.word(frames.position)
    if word.startswith(CONFLICT_MARKS):
        return f"a version-control conflict mark stands at frame {n_good}", "Resolve the conflict."
    if frames.outcome == Outcome.TOO_LARGE:
        return f"frame {n_good} has the value {quoted(word)}, too large for a length or angle", "Export it anew."
    remedy = POINT_FOR_COMMA if has_decimal_comma(word) else "The file may be damaged or cut off."
    return f"frame {n_good} has {quoted(word)} where a number should be", remedy


def _counted(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def _recording(hierarchy: Hierarchy, values: np.ndarray, frame_time: float) -> tuple[Recording, list[str]]:
    skeleton = hierarchy.skeleton
    layout = ChannelLayout(hierarchy.channel_joints, hierarchy.channel_kinds)
    recording, notes = position_meaning(Recording(skeleton, layout, values, frame_time))
    if len(set(skeleton.names)) < skeleton.n_joints:
        twice = next(name for i, name in enumerate(skeleton.names) if name in skeleton.names[:i])
        notes.append(f"several joints are named {twice!r}")
    return recording, notes
