"""Export: clips and segments out of the bank, with their licence and credit."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from motionary.arguments import check_options, some
from motionary.bank.addresses import SELECTION_SIGN
from motionary.bank.bank import Bank
from motionary.bank.clips import Clip
from motionary.bank.library import AnySegment, HasSegment
from motionary.errors import ArgumentError, ChannelError, MappingError, UsageError
from motionary.files import write_whole
from motionary.formats import bvh_text, glb_bytes
from motionary.motion import (
    Motion,
    Placement,
    Recording,
    Segment,
    Skeleton,
    check_frame_time,
    full_layout,
    mirror,
    poses_at,
    recording_of,
    resample,
)
from motionary.rig import (
    BodyMap,
    body_headings,
    map_skeleton,
    mirror_partners,
    reference_skeleton,
    symmetric_pose,
    transfer,
)

if TYPE_CHECKING:
    from motionary.alignment import Match

Format = Literal["bvh", "glb"]
ENDINGS = (".bvh", ".glb")
DUST = 1e-9  # of a unit or degree
MAX_NAME_BYTES = 200  # of the 255 that file systems take


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What happens to a motion on its way out. Without any of it, a BVH comes out as it went in."""

    format: Format | None = None  # None: by the file's ending, else BVH
    frame_time: float | None = None  # resampled to this
    onto: str | None = None  # transferred onto "reference" or onto another clip's skeleton
    mirrored: bool = False
    as_query: bool = False  # mirrored matches are mirrored back, so that all go as their query does
    on_query_clock: bool = False  # matches are played in their query's time, moment by moment
    recentred: bool = False  # begins at the origin, facing +z

    @property
    def changes_motion(self) -> bool:
        """Whether a motion comes out otherwise than it went in."""
        asked = (self.mirrored, self.as_query, self.on_query_clock, self.recentred)
        return any(asked) or self.frame_time is not None or self.onto is not None

    def __post_init__(self) -> None:
        if self.format not in (None, *get_args(Format)):
            raise ArgumentError("format", f"must be {' or '.join(get_args(Format))}, not {self.format!r}")
        if self.frame_time is not None:
            check_frame_time(self.frame_time)


@dataclass(frozen=True, slots=True)
class Exported:
    """One file that was written."""

    path: Path
    clip: str
    start: int
    stop: int
    notes: tuple[str, ...] = ()  # what could not be written as it is in the bank

    def as_json(self) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "clip": self.clip,
            "start": self.start,
            "stop": self.stop,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, eq=False)
class _Onto:
    """The skeleton that motions are transferred onto, its map and a recording that shows how its limbs bend."""

    skeleton: Skeleton
    body_map: BodyMap
    recording: Recording | None = None


def export(
    bank: Bank,
    segments: AnySegment | Iterable[AnySegment],
    output: Path | str,
    *,
    options: ExportOptions | None = None,
    overwrite: bool = False,
    dry_run: bool = False,
    **changes: Any,
) -> list[Exported]:
    """Write segments as files: one segment to the file `output`, several into the folder `output`.

    What `ExportOptions` takes can be given directly, as in `mirrored=True`; it replaces what `options` say.
    Next to `NAME.bvh` of a clip with a licence or credit stands `NAME.bvh.credit.json` with them; a GLB carries them
    inside. A dry run does all but write.
    """
    check_options(changes, [one.name for one in fields(ExportOptions)], called="export")
    options, output = replace(options or ExportOptions(), **changes), Path(output)
    format = options.format or _format_of(output)
    matches = _matches(bank, segments) if options.as_query or options.on_query_clock else None
    wanted = bank.segments_of(segments) if matches is None else [match.segment for match in matches]
    onto = None if options.onto is None else _body(bank, options.onto)
    try:
        names = _file_names(bank, wanted, output, format)
        taken = [file for path in names for file in _files_of(path, format) if file.exists()]
    except OSError as error:
        raise UsageError(
            f"{output}: cannot be written ({error.strerror}); check the folder, its permissions and the name"
        ) from error
    if taken and not overwrite:
        raise UsageError(f"{taken[0]}: already exists; --overwrite replaces it")
    written = []
    for n, (segment, path) in enumerate(zip(wanted, names, strict=True)):
        clip = bank.clip(segment.clip_id)
        data, notes = _encoded(bank, clip, segment, matches[n] if matches else None, onto, options, format)
        if not dry_run:
            write_whole(path, data)
            if format == "bvh":
                _write_credit(path, clip, segment)
        written.append(Exported(path, clip.name, segment.start, segment.stop, notes))
    return written


def _matches(bank: Bank, segments: AnySegment | Iterable[AnySegment]) -> "list[Match]":
    """The matches that are meant, as they were found: those of selections, or of a result."""
    from motionary.alignment import Match

    found: list[Match] = []
    for one in some(segments, Segment, HasSegment, str, int, called="segments", meant="a match"):
        if isinstance(one, Match):
            found.append(one)
        elif isinstance(one, str) and one.startswith(SELECTION_SIGN):
            name, _, ranks = one.removeprefix(SELECTION_SIGN).partition(":")
            found += bank.matches(name, [ranks] if ranks else None).values()
        else:
            raise UsageError(
                f"{one!r} is not a match, so it has no query to follow; export @SELECTION, as `search --keep` makes it"
            )
    return found


def _encoded(
    bank: Bank,
    clip: Clip,
    segment: Segment,
    match: "Match | None",
    onto: _Onto | None,
    options: ExportOptions,
    format: Format,
) -> tuple[bytes, tuple[str, ...]]:
    """The file's bytes, and what has to be said of them."""
    recording = bank.recording(segment)
    if format == "bvh" and not options.changes_motion:
        if clip.format == "bvh" and not bank.edit_rows(clip):
            return bvh_text(recording), ()  # as in its file, number by number
        plain = recording if recording.layout.axes is None else recording_of(recording.motion())
        return bvh_text(_without_dust(plain)), ()
    motion = recording.motion()
    if match is not None and options.on_query_clock:
        motion = _on_query_clock(motion, match)
    if options.mirrored != (match is not None and options.as_query and match.mirrored):
        motion = mirror(motion, _partners(bank, clip, motion), rest_world=_symmetric_pose(bank, clip, motion))
    if onto is not None:
        motion = transfer(
            motion,
            onto.skeleton,
            source_map=bank.body_map(clip),
            target_map=onto.body_map,
            target_motion=onto.recording.motion() if onto.recording else None,
        )
    if options.frame_time is not None:
        motion = resample(motion, frame_time=options.frame_time)
    if options.recentred:
        motion = _recentred(motion, onto.body_map if onto else _body_map(bank, clip))
    if format == "glb":
        return glb_bytes(motion, name=clip.name, extras=_credit(clip, segment)), ()
    written, notes = _as_recording(motion, like=onto.recording if onto else recording)
    return bvh_text(_without_dust(written)), notes


def _as_recording(motion: Motion, like: Recording | None) -> tuple[Recording, tuple[str, ...]]:
    """The motion in the channels, unit and axes of `like`, with more channels where those cannot hold it; and which.

    Acclaim's joint axes are nothing that a BVH can have: such a motion is written plainly.
    """
    if like is None or like.layout.axes is not None:
        return recording_of(motion), ()
    try:
        return recording_of(motion, like=like), ()
    except ChannelError:
        layout = full_layout(like.layout, motion)
        wider = Recording(like.skeleton, layout, np.empty((0, layout.n_channels)), like.frame_time, like.space)
        n_added = np.bincount(layout.joints) - np.bincount(like.layout.joints, minlength=motion.skeleton.n_joints)
        names = ", ".join(motion.skeleton.names[joint] for joint in np.flatnonzero(n_added))
        note = f"channels were added for changed joints: {names}"
        return recording_of(motion, like=wider), (note,)


def _without_dust(recording: Recording) -> Recording:
    """The recording with 0 in place of what rounding leaves of it (3.9e-16)."""
    skeleton = recording.skeleton
    return replace(
        recording,
        skeleton=replace(
            skeleton, offsets=_dusted(skeleton.offsets), end_site_offsets=_dusted(skeleton.end_site_offsets)
        ),
        values=_dusted(recording.values),
    )


def _dusted(values: np.ndarray) -> np.ndarray:
    return np.where(np.abs(values) < DUST, 0.0, values)


def _on_query_clock(motion: Motion, match: "Match") -> Motion:
    """A match played in its query's time: at each moment it is where the query is, by a smooth curve of time."""
    from motionary.alignment import smooth_warp

    if motion.n_frames < 2 or len(match.alignment.pairs) < 2:
        return motion
    n_frames = max(2, round(match.n_query / match.rate_hz / motion.frame_time))
    moments = np.arange(n_frames) * motion.frame_time * match.rate_hz  # frames of the query
    times = smooth_warp(match.alignment)(moments) / match.rate_hz / motion.frame_time
    return poses_at(motion, np.clip(times, 0.0, motion.n_frames - 1.0))


def _recentred(motion: Motion, body_map: BodyMap | None) -> Motion:
    """The motion moved so that its hips begin at the origin and face +z there; creatures begin with their root, and are
    not turned."""
    heading = 0.0 if body_map is None else float(body_headings(motion, body_map)[0])
    x, _, z = motion.positions_world[0, 0 if body_map is None else body_map.hips]
    return Placement(-heading, 0.0, 0.0).place(Placement(0.0, -float(x), -float(z)).place(motion))


def _body_map(bank: Bank, clip: Clip) -> BodyMap | None:
    try:
        return bank.body_map(clip)
    except MappingError:
        return None


def _partners(bank: Bank, clip: Clip, motion: Motion) -> np.ndarray:
    """Every joint's counterpart on the other side, by the clip's map; by names alone for creatures."""
    return mirror_partners(motion.skeleton, body_map=_body_map(bank, clip))


def _symmetric_pose(bank: Bank, clip: Clip, motion: Motion) -> np.ndarray | None:
    """The joints' orientations in the T-pose; None for creatures, whose rest pose has to be symmetric itself."""
    try:
        return symmetric_pose(motion.skeleton, body_map=bank.body_map(clip), motion=motion)
    except MappingError:
        return None


def _body(bank: Bank, onto: str) -> _Onto:
    if onto == "reference":
        skeleton = reference_skeleton()
        return _Onto(skeleton, map_skeleton(skeleton))
    clip = bank.clip(onto)
    return _Onto(bank.skeleton(clip), bank.body_map(clip), bank.recording(clip.id))


def _credit(clip: Clip, segment: Segment) -> dict[str, str]:
    facts = {
        "clip": clip.name,
        "frames": f"{segment.start}-{segment.stop}",
        "source": Path(clip.source).name,
        "licence": clip.licence,
        "credit": clip.credit,
    }
    return {key: value for key, value in facts.items() if value}


def _write_credit(path: Path, clip: Clip, segment: Segment) -> None:
    """Put licence and credit beside a BVH; take away those of what was overwritten."""
    if clip.licence or clip.credit:
        credit = json.dumps(_credit(clip, segment), indent=2, ensure_ascii=False)
        write_whole(_credit_path(path), credit.encode())
    else:
        _credit_path(path).unlink(missing_ok=True)


def _credit_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.credit.json")


def _files_of(path: Path, format: Format) -> tuple[Path, ...]:
    return (path, _credit_path(path)) if format == "bvh" else (path,)


def _format_of(output: Path) -> Format:
    return "glb" if output.suffix.lower() == ".glb" else "bvh"


def _file_names(bank: Bank, segments: Sequence[Segment], output: Path, format: Format) -> list[Path]:
    """Where each segment goes; clips' names become folders and files, made safe and told apart."""
    suffix, is_folder = output.suffix.lower(), output.is_dir()
    if len(segments) == 1 and suffix and not is_folder:
        if suffix == f".{format}":
            return [output]
        if suffix in ENDINGS:
            raise UsageError(f"{output}: a {format.upper()} file must end in .{format}; change the name or the format")
        raise UsageError(
            f"{output}: cannot write {output.suffix} files; supported are {' and '.join(ENDINGS)}. "
            "To export into a folder, create it first"
        )
    if (suffix in ENDINGS or output.exists()) and not is_folder:
        if len(segments) == 1:
            raise UsageError(f"{output}: is not a folder, and a file's name must end in {' or '.join(ENDINGS)}")
        raise UsageError(f"{output}: {len(segments)} segments need an output folder, not a file")
    names: list[Path] = []
    taken: set[str] = set()
    for segment in segments:
        clip = bank.clip(segment.clip_id)
        parts = [_safe(part) for part in clip.name.split("/") if part not in ("", ".", "..")] or [f"clip-{clip.id}"]
        if segment != clip.segment:
            parts[-1] += f"_{segment.start}-{segment.stop}"
        stem, number = parts[-1], 1
        # A folder never has the name of a file that may stand beside it
        folders = [f"{part}_" if part.lower().endswith((*ENDINGS, ".json")) else part for part in parts[:-1]]
        path = output.joinpath(*folders, f"{stem}.{format}")
        while str(path).lower() in taken:  # not all disks tell capital letters from small ones
            number += 1
            path = path.with_name(f"{stem}~{number}.{format}")
        taken.add(str(path).lower())
        names.append(path)
    return names


def _safe(part: str) -> str:
    """A file's name out of a part of a clip's name, with room for what is added to it."""
    letters = "".join(letter if letter.isalnum() or letter in " ._-~+()[]" else "_" for letter in part)
    return letters.encode()[:MAX_NAME_BYTES].decode(errors="ignore").strip(". ") or "_"
