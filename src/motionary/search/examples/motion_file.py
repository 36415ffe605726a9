"""Motion files that are not in the bank, read as an import would read them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from motionary.errors import MappingError, MotionFileError
from motionary.formats import read_motion_file
from motionary.motion import Motion, Skeleton, Space
from motionary.rig import Body, BodyMap, body_of, guess_space


@dataclass(frozen=True, eq=False)
class Acted:
    """A motion and the body that performs it."""

    motion: Motion
    body: Body


def motion_of_file(path: Path) -> Motion:
    """The motion in a file, as a search takes it as its query."""
    return read_acted(path).motion


def read_acted(
    path: Path,
    *,
    map_by_hand: Callable[[Skeleton], BodyMap | None] = lambda _: None,
    message: Callable[[str], None] | None = None,
) -> Acted:
    """The motion in a file, with unit and axes as the file says them or as they are guessed; `message` hears doubts.

    `map_by_hand` is asked whether somebody said already which joint is which part of the body.
    """
    file = read_motion_file(path)
    if len(file.recordings) != 1:
        roots = ", ".join(recording.skeleton.names[0] for recording in file.recordings)
        raise MotionFileError(
            path,
            None,
            f"contains {len(file.recordings)} skeletons ({roots})",
            "Import it and search with one of its clips.",
        )
    recording = file.recordings[0]
    doubts: tuple[str, ...] = ()
    if recording.space == Space():
        guess = guess_space(recording)
        recording = replace(recording, space=guess.space)
        doubts = guess.doubts()
    if message:
        for note in (*file.notes, *doubts):
            message(f"{path}: {note}")
    motion = recording.motion()
    try:
        return Acted(motion, body_of(motion.skeleton, body_map=map_by_hand(motion.skeleton), motion=motion))
    except MappingError as error:
        raise MappingError(
            f"{path}: the skeleton cannot be mapped: {error}. "
            "Import the file, map its skeleton by hand (`motionary map`), and search with the clip"
        ) from error
