"""The film strips of docs/editing.md: every operation on a motion of the sample library, drawn below what it was.

python bench/edit_strips.py docs/images
"""

import sys
from pathlib import Path

from PIL import Image

from motionary.edit import Edited, Operation, Subject, apply_operation, operations, place_of
from motionary.features import features_of
from motionary.picture import Row, show_rows
from motionary.plants import contacts_of_plants
from motionary.rig import body_of
from motionary.sample import make_library
from motionary.search import PoseRows, PoseSpace, column_weights, train_space

TAKES = list(make_library(minutes=2.0))
GROUPS = {
    "filters": ("throw", ("smooth", "high-pass", "bands", "wiggle", "wave-shape", "noise")),
    "poses": ("raise_right", ("displace", "reach", "paste", "additive", "bridge", "limits", "in-space")),
    "time": ("walk", ("time-warp", "speed", "style", "in-place", "replace", "delete", "mirror", "loop")),
}
PARAMETERS = {
    "displace": {"turns": ((0.6, "LeftUpperArm", 0.0, 0.0, 70.0),)},
    "reach": {"joint": "LeftHand", "secs": 0.8, "target": (0.1, 0.5, 0.3)},
    "paste": {"source": "wave"},
    "additive": {"source": "shrug"},
    "replace": {"source": "sneak"},
    "limits": {"limits": (("RightUpperArm", (1.0, 0.0, 0.0, 0.0), (-180.0, -180.0, -180.0), (180.0, 180.0, 40.0)),)},
}
JOINTS = {"bridge": ["arms"]}


def found(label: str) -> tuple[Subject, int, int]:
    """The first segment of a label, within its take."""
    for take in TAKES:
        for one in take.labels:
            if one.name == label:
                body = body_of(take.motion.skeleton, motion=take.motion)
                return Subject(take.motion, body, take.plants), one.start, one.stop
    raise SystemExit(f"the sample library has no {label}")


def space() -> PoseSpace:
    rows = features_of(TAKES[0].motion)
    return train_space([PoseRows(rows["angles"], rows["root"])], column_weights())


def drawn(rows: list[Row], path: Path, n_poses: int) -> None:
    """Draw, in 64 colours: a quarter of the size."""
    show_rows(rows, path, n_poses=n_poses, width=1000, spread="time")
    Image.open(path).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)


def row(subject: Subject | Edited, of: Subject, start: int, stop: int, title: str, note: str = "") -> Row:
    motion = subject.motion
    now = subject.interval_now(start, stop) if isinstance(subject, Edited) else (start, stop)
    if now is None or now[1] - now[0] < 5:
        around = round(0.75 / motion.frame_time)
        now = max(start - around, 0), min(start + around, motion.n_frames)
    contacts = contacts_of_plants(subject.plants, motion.n_frames)[now[0] : now[1]]
    assert of.body is not None
    part = motion.slice(*now)
    return Row(part, title=title, note=note, contacts=contacts, body_map=of.body.body_map, first_frame=now[0])


def edited(operation: Operation, subject: Subject, start: int, stop: int) -> Edited:
    sources = {}
    for name in operation.source_names:
        other, first, last = found(name)
        sources[name] = other.slice(first, last)
    spaces = {name: space() for name in operation.space_names}
    if operation.name == "mirror":
        start, stop = 0, subject.motion.n_frames
    place = place_of(
        subject, operation, start, stop, sources=sources, spaces=spaces, joints=JOINTS.get(operation.name, ())
    )
    return apply_operation(subject, operation, place)


def main(folder: Path) -> None:
    for name, (label, names) in GROUPS.items():
        subject, start, stop = found(label)
        rows = [row(subject, subject, start, stop, f"{label}, before")]
        for one in names:
            kind = operations()[one]
            operation = kind.from_parameters(PARAMETERS.get(one, kind.example))
            after = edited(operation, subject, start, stop)
            rows.append(row(after, subject, start, stop, one, operation.title))
        drawn(rows, folder / f"edit-{name}.png", 8)
    subject, start, stop = found("raise_both")
    rows = [row(subject, subject, start, stop, "raise_both, before")]
    for quality in ("space", "weight", "time", "flow", "horizontal", "vertical", "sagittal"):
        for value in (-1.0, 1.0):
            operation = operations()["emote"].from_parameters({quality: value})
            rows.append(row(edited(operation, subject, start, stop), subject, start, stop, f"{quality} {value:+g}"))
    drawn(rows, folder / "edit-qualities.png", 9)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
