"""Reading motion files for an import, in several processes."""

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from motionary.bank.label_files import LabelTable
from motionary.bank.sources import SourceFile
from motionary.bank.storage import PackedRecording, pack
from motionary.errors import UsageError, UserError
from motionary.formats import read_motion_file
from motionary.motion import Handedness, Oddity, Recording, Space, Up, check_frame_time, oddities
from motionary.rig import guess_space
from motionary.workers import map_in_order, n_cores

T_POSE_DROPPED = re.compile(r"the artificial T-pose in (?:frame 0 was|frames 0 to (\d+) was) dropped")
LONGEST_SECS = 6 * 3600.0  # of one clip: whatever is derived from it is sampled evenly
INLINE_BYTES = 4 << 20  # less than this is read here: starting processes would take longer


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How files are understood; what is None is read from the file or guessed."""

    unit_metres: float | None = None
    up: Up | None = None
    handedness: Handedness | None = None
    frame_time: float | None = None
    asf_path: Path | None = None
    truncate: bool = False
    drop_t_pose: bool = False
    keep_copies: bool = False
    replace: bool = False  # files that are in the bank already give their clips a new version
    labels: LabelTable | None = None
    label_folders: bool = False
    label_pattern: str | None = None
    licence: str = ""
    credit: str = ""

    def __post_init__(self) -> None:
        if self.frame_time is not None:
            check_frame_time(self.frame_time)


@dataclass(frozen=True, slots=True)
class ReadClip:
    """One motion of a file, ready for the bank."""

    packed: PackedRecording
    root_name: str
    space: Space
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The motions of one file, or why there are none."""

    clips: tuple[ReadClip, ...] = ()
    error: str = ""


def read_clips(source: SourceFile, options: ImportOptions) -> ReadResult:
    """The motions of one file, with units and axes settled and oddities noted."""
    try:
        file = read_motion_file(
            source.path,
            shown=source.shown,
            truncate=options.truncate,
            asf_path=options.asf_path,
            frame_time=options.frame_time,
        )
        return ReadResult(
            tuple(_read_clip(recording, file.notes, options, source.shown) for recording in file.recordings)
        )
    except UserError as error:
        return ReadResult(error=str(error))
    except Exception as error:
        what = f"{type(error).__name__}: {error}"[:200]
        return ReadResult(error=f"{source.shown}: this program failed on it ({what}); please report it with the file")


def _read_clip(recording: Recording, notes: tuple[str, ...], options: ImportOptions, named: str) -> ReadClip:
    if options.frame_time is not None:
        recording = replace(recording, frame_time=options.frame_time)
    if recording.n_frames * recording.frame_time > LONGEST_SECS:
        hours = recording.n_frames * recording.frame_time / 3600.0
        raise UsageError(
            f"{named}: {recording.n_frames:,} frames {recording.frame_time:g} s apart are {hours:.3g} hours, over the "
            f"{LONGEST_SECS / 3600.0:g} hours allowed for a clip. Split it, or set --rate"
        )
    space, doubts = _settled_space(recording, options)
    recording, notes = replace(recording, space=space), (*notes, *doubts)
    found = oddities(recording.motion())
    n_dropped = _t_pose_frames(found) if options.drop_t_pose else 0
    if 0 < n_dropped < recording.n_frames:
        recording = recording.slice(n_dropped, recording.n_frames)
        found = oddities(recording.motion())
        which = "frame 0 was" if n_dropped == 1 else f"frames 0 to {n_dropped - 1} was"
        notes = (*notes, f"the artificial T-pose in {which} dropped")
    texts = tuple(oddity.text for oddity in found)
    return ReadClip(pack(recording), recording.skeleton.names[0], space, (*notes, *texts))


def _t_pose_frames(found: Sequence[Oddity]) -> int:
    """How many frames at the start show a T-pose, or zeros before or behind it: what was captured begins there."""
    stop = 0
    for oddity in sorted(found):
        if oddity.kind in ("t-pose", "zero frames") and oddity.start == stop:
            stop = oddity.stop
    return stop


def n_dropped_frames(notes: Sequence[str]) -> int:
    """How many frames an import has left out at the start of a clip with these notes."""
    match = next(filter(None, map(T_POSE_DROPPED.fullmatch, notes)), None)
    return int(match[1] or 0) + 1 if match else 0


def _settled_space(recording: Recording, options: ImportOptions) -> tuple[Space, tuple[str, ...]]:
    """Unit and axes: the user's, else the file's own, else guessed; and what is doubtful about a guess."""
    doubts: tuple[str, ...] = ()
    space = recording.space
    if space == Space():
        guess = guess_space(recording)
        space = guess.space
        doubts = guess.doubts(
            unit=options.unit_metres is None, up=options.up is None, handedness=options.handedness is None
        )
    return Space(
        options.unit_metres or space.unit_metres, options.up or space.up, options.handedness or space.handedness
    ), doubts


def read_all(sources: Sequence[SourceFile], options: ImportOptions, processes: int | None) -> Generator[ReadResult]:
    """The results in the order of `sources`, read in as many processes as there are cores."""
    inline = processes is None and _n_bytes(sources) < INLINE_BYTES
    read = partial(read_clips, options=replace(options, labels=None))  # labels are not needed there, and may be large
    return map_in_order(read, sources, n_processes=1 if inline else processes or n_cores())


def _n_bytes(sources: Sequence[SourceFile]) -> int:
    return sum(source.path.stat().st_size for source in sources if source.path.exists())
