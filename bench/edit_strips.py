"""The film strips of docs/editing.md: every operation on a motion of the sample library, drawn below what it was.

python bench/edit_strips.py docs/images
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from motionary.edit import (
    Displace,
    Edited,
    Operation,
    Subject,
    apply_operation,
    learn_style,
    operations,
    place_of,
)
from motionary.edit.standing import plant_slide
from motionary.features import features_of
from motionary.motion import rotations
from motionary.picture import Row, show_rows
from motionary.plants import contacts_of_plants
from motionary.rig import body_of
from motionary.sample import make_library
from motionary.search import PoseRows, PoseSpace, column_weights, train_space

TAKES = list(make_library(minutes=2.0))
GROUPS = {  # picture: label and its number, operations, poses
    "filters": ("throw", 0, ("smooth", "high-pass", "bands", "wiggle", "wave-shape", "noise"), 8),
    "poses": (
        "raise_right",
        0,
        ("displace", "reach", "paste", "additive", "bridge", "limits", "in-space", "mirror"),
        8,
    ),
    "time": ("walk", 2, ("time-warp", "speed", "style", "in-place", "replace", "delete", "loop"), 10),
}
# The right arm as it hangs, and how far it may turn from there: not above the shoulder
HANGING = ("RightUpperArm", (0.76, 0.0, 0.0, 0.65), (-75.0, -40.0, -20.0), (40.0, 40.0, 75.0))
PARAMETERS = {
    "displace": {"turns": ((0.6, "LeftUpperArm", 0.0, 0.0, 70.0),)},
    "reach": {"joint": "LeftHand", "secs": 0.8, "target": (0.1, 0.5, 0.3)},
    "paste": {"source": "wave"},
    "additive": {"source": "slouch", "weight": 0.5},
    "replace": {"source": "wave"},
    "limits": {"limits": (HANGING,)},
    "time-warp": {"points": ((0.8, 1.6), (1.6, 2.0))},
}
JOINTS = {"bridge": ["arms"]}


def found(label: str, number: int = 0) -> tuple[Subject, int, int]:
    """A segment of a label, within its take."""
    for take in TAKES:
        for one in take.labels:
            if one.name == label and one.start is not None:
                if number == 0:
                    body = body_of(take.motion.skeleton, motion=take.motion)
                    return Subject(take.motion, body, take.plants), one.start, one.stop
                number -= 1
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
    joints = JOINTS.get(operation.name, ())
    place = place_of(subject, operation, start, stop, sources=sources, spaces=spaces, joints=joints)
    return apply_operation(subject, operation, place)


def operation_shown(name: str) -> Operation:
    if name == "style":
        return learn_style(*(subject.slice(start, stop) for subject, start, stop in (found("walk", 2), found("sneak"))))
    kind = operations()[name]
    return kind.from_parameters(PARAMETERS.get(name, kind.example))


def repairs() -> list[Row]:
    """Motions that are broken on purpose, each above what mends it."""
    rows = []
    for name, title, broken, start, stop in (
        ("mend", "a jump, and missing frames", *jumping()),
        ("deglitch", "a glitch of the arm", *glitched()),
        ("clean", "sliding feet", *sliding()),
        ("balance", "weight ahead of the feet", *leaning()),
    ):
        operation = operations()[name]()
        after = edited(operation, broken, start, stop)
        assert broken.body is not None
        parts = [Subject(one.motion, broken.body, broken.plants).slice(start, stop) for one in (broken, after)]
        slides = [100 * plant_slide(one.motion, one.plants, broken.body) for one in parts]
        notes = [f"feet slide {slide:.1f} cm" if name == "clean" else "" for slide in slides]
        if name == "balance":
            notes[1] = after.notes[0]
        stop = min(stop, start + 100)
        rows.append(row(broken, broken, start, stop, title, notes[0]))
        rows.append(row(after, broken, start, stop, name, notes[1] or operation.title))
    return rows


def two_steps() -> tuple[Subject, int, int]:
    """The midst of a walk."""
    subject, start, stop = found("walk", 2)
    return subject, start + 90, min(start + 190, stop)


def jumping() -> tuple[Subject, int, int]:
    subject, start, stop = two_steps()
    middle = (start + stop) // 2
    places, turned = np.array(subject.motion.root_positions), np.array(subject.motion.rotations)
    places[middle:] += [0.3, 0.0, 0.5]
    gap = slice(middle + 10, middle + 20)
    places[gap], turned[gap] = 0.0, rotations.IDENTITY
    return Subject(replace(subject.motion, root_positions=places, rotations=turned), subject.body, ()), start, stop


def glitched() -> tuple[Subject, int, int]:
    subject, start, stop = found("shrug")
    assert subject.body is not None
    turned, elbow = np.array(subject.motion.rotations), subject.body.body_map.joints["RightUpperArm"]
    for spot in (start + 28, start + 42):  # where poses are drawn
        twist = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), 1.5)
        turned[spot - 1 : spot + 2, elbow] = rotations.multiply(turned[spot - 1 : spot + 2, elbow], twist)
    return Subject(replace(subject.motion, rotations=turned), subject.body, subject.plants), start, stop


def sliding() -> tuple[Subject, int, int]:
    subject, start, stop = two_steps()
    places = np.array(subject.motion.root_positions)
    places[:, 0] += 0.06 * np.sin(np.arange(len(places)) / 25.0)
    return Subject(replace(subject.motion, root_positions=places), subject.body, subject.plants), start, stop


def leaning() -> tuple[Subject, int, int]:
    subject, start, stop = found("wave")
    first, last = start - 30, stop + 30
    secs = (last - first) * subject.motion.frame_time
    moves = tuple((share * secs, 0.0, 0.0, 0.14) for share in (0.4, 0.6))
    leant = edited(Displace(moves=moves), subject, first, last)
    return Subject(leant.motion, subject.body, leant.plants).slice(0, last + 60), first, last


def main(folder: Path) -> None:
    for name, (label, number, names, n_poses) in GROUPS.items():
        subject, start, stop = found(label, number)
        if label == "walk":
            start, stop = start + 60, start + 220
        rows = [row(subject, subject, start, stop, f"{label}, before")]
        for one in names:
            operation = operation_shown(one)
            after = edited(operation, subject, start, stop)
            rows.append(row(after, subject, start, stop, one, operation.title))
        drawn(rows, folder / f"edit-{name}.png", n_poses)
    drawn(repairs(), folder / "edit-repairs.png", 8)
    subject, start, stop = found("raise_both")
    rows = [row(subject, subject, start, stop, "raise_both, before")]
    for quality in ("space", "weight", "time", "flow", "horizontal", "vertical", "sagittal"):
        for value in (-1.0, 1.0):
            operation = operations()["emote"].from_parameters({quality: value})
            rows.append(row(edited(operation, subject, start, stop), subject, start, stop, f"{quality} {value:+g}"))
    drawn(rows, folder / "edit-qualities.png", 9)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
