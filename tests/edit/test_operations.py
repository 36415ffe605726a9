"""Every operation keeps the same promises: identity, continuity at both ends, feet that stand, a way into JSON."""

import json
import re
from dataclasses import fields, replace

import numpy as np
import pytest

from edit.made_subjects import off_balance, sliding, space, standing, subject
from motionary.edit import (
    Displace,
    Edited,
    Emote,
    Operation,
    Subject,
    apply_operation,
    operation_from_json,
    operations,
    place_of,
)
from motionary.edit.joints import joints_called, mirrored_subject
from motionary.edit.standing import largest_slide, plant_slide
from motionary.errors import SkeletonError, UsageError, UserError
from motionary.plants import Plant

NAMES = list(operations())
WHOLE = ("mirror", "loop")


def put_on(
    operation: Operation, on: Subject | None = None, *, start: int = 120, stop: int = 260, **options: object
) -> Edited:
    """The operation on a made motion; other motions that it needs come from another take."""
    on = subject() if on is None else on
    if operation.name in WHOLE:
        start, stop = 0, on.motion.n_frames
    sources = {name: subject(1).slice(100, 190) for name in operation.source_names}
    spaces = {name: space() for name in operation.space_names}
    place = place_of(on, operation, start, stop, sources=sources, spaces=spaces, **options)  # type: ignore[arg-type]
    return apply_operation(on, operation, place)


def example(name: str) -> Operation:
    kind = operations()[name]
    return kind.from_parameters(kind.example)


def farthest(a: Edited | Subject, b: Edited | Subject) -> float:
    return float(np.abs(a.motion.positions_world - b.motion.positions_world).max())


@pytest.mark.parametrize("name", [name for name in NAMES if operations()[name].identity is not None])
def test_identity_parameters_change_nothing(name: str) -> None:
    kind = operations()[name]
    for on in (subject(), sliding()):
        edited = put_on(kind.from_parameters(kind.identity or {}), on)

        assert farthest(edited, on) <= 1e-6
        assert edited.plants == on.plants


@pytest.mark.parametrize("n_frames", [1, 2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_clips_of_a_few_frames_are_edited_or_refused(name: str, n_frames: int) -> None:
    for frame_time in (1.0 / 60.0, 1.0):
        on = off_balance(n_frames, frame_time)
        try:
            edited = put_on(example(name), on, start=0, stop=n_frames)
        except UserError:
            continue

        assert np.isfinite(edited.motion.positions_world).all()
        assert edited.motion.n_frames > 0


@pytest.mark.parametrize("name", NAMES)
def test_no_strength_is_no_change(name: str) -> None:
    assert put_on(example(name), strength=0.0).motion is subject().motion


EFFORTS = [Emote(**{name: value}) for name in ("space", "weight", "time", "flow") for value in (-1.0, 1.0)]


@pytest.mark.parametrize(
    "operation", [*(operations()[name] for name in NAMES if name not in WHOLE), *EFFORTS],
    ids=[*(name for name in NAMES if name not in WHOLE), *map(str, EFFORTS)],
)  # fmt: skip
def test_both_ends_stay_continuous(operation: type[Operation] | Operation) -> None:
    """At the borders no joint jumps farther than it did, or than it does elsewhere in the edited segment."""
    edited = put_on(operation if isinstance(operation, Operation) else example(operation.name))

    before, after = subject().motion, edited.motion
    shift = after.n_frames - before.n_frames
    steps = np.linalg.norm(np.diff(after.positions_world, axis=0), axis=-1).max(axis=1)
    usual = np.linalg.norm(np.diff(before.positions_world, axis=0), axis=-1).max(axis=1)
    for border, its_own in ((119, usual[115:125].max()), (259 + shift, usual[254:265].max())):
        beside = max(steps[border - 6 : border - 1].max(), steps[border + 2 : border + 7].max())
        assert steps[border - 1 : border + 2].max() <= 1.5 * max(its_own, beside) + 0.004


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WHOLE])
def test_frames_far_from_the_segment_stay(name: str) -> None:
    edited = put_on(example(name))

    if name != "delete":  # whose seam joins plants from both sides
        assert np.abs(edited.motion.rotations[:35] - subject().motion.rotations[:35]).max() <= 1e-9
    if name not in ("delete", "replace"):  # after these the body may face another way
        assert np.abs(np.abs(edited.motion.rotations[-60:]) - np.abs(subject().motion.rotations[-60:])).max() <= 1e-9


@pytest.mark.parametrize("name", [name for name in NAMES if name != "in-place"])
def test_planted_feet_stand(name: str) -> None:
    """After every operation no planted heel or toe is farther than 2 mm from its place."""
    for on, start, stop in ((subject(), 120, 260), standing()):
        edited = put_on(example(name), on, start=start, stop=stop)
        assert on.body is not None
        if not any("could not be held" in note for note in edited.notes):
            assert largest_slide(edited.motion, edited.plants, on.body) <= 0.002
        assert len(edited.plants) > 0


def test_what_brings_feet_back_moves_no_plants_beside_it() -> None:
    """The correction of one plant does not fade into the next one, which stands somewhere else."""
    cut, gap = 430, 8
    plants: list[Plant] = []
    for plant in subject().plants:
        if plant.foot == "right" and plant.start < cut < plant.stop:
            x, y, z = plant.place
            plants += [replace(plant, stop=cut, place=(x + 0.02, y, z)), replace(plant, start=cut + gap)]
        else:
            plants.append(plant)
    on = replace(subject(), plants=tuple(plants))
    assert on.body is not None
    edited = put_on(Emote(vertical=-1.0), on, start=300, stop=cut - 24)

    after = [plant for plant in plants if plant.start == cut + gap]
    assert len(after) == 2
    assert plant_slide(edited.motion, after, on.body) <= 0.002


@pytest.mark.parametrize(
    "operation", [*(example(name) for name in NAMES if name not in ("noise", "in-space")), Emote(space=-1.0)]
)
def test_a_mirrored_match_gets_the_mirrored_edit(operation: Operation) -> None:
    """Noise differs from match to match, and a pose space has no mirror image."""
    for on, start, stop in ((subject(), 120, 260), standing()):
        edited = put_on(operation, on, start=start, stop=stop)
        other = put_on(operation, mirrored_subject(on), start=start, stop=stop, mirrored=True)

        assert farthest(Edited(mirrored_subject(Subject(other.motion, on.body)).motion, ()), edited) < 1e-6


def test_plants_that_cannot_be_held_are_named_by_frames_of_the_clip() -> None:
    edited = put_on(Displace(moves=((1.0, 0.0, 1.5, 0.0),)), subject(), start=300, stop=420)
    said = [re.match(r"the (\w+) (\w+) planted at frame (\d+) could not be held", note) for note in edited.notes]

    assert said
    for one in said:
        assert one is not None
        assert any(
            (plant.foot, plant.part) == (one[1], one[2]) and plant.start <= int(one[3]) < plant.stop
            for plant in subject().plants
            if plant.stop > 300 and plant.start < 420
        )


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is(name: str) -> None:
    kind = operations()[name]
    operation = example(name)

    assert kind.__doc__
    assert kind.title
    assert all(one.metadata["help"] for one in fields(kind))
    content = json.loads(json.dumps(operation.as_json()))
    assert operation_from_json(content) == operation
    with pytest.raises(UsageError, match=r"is of version 99, this Motionary knows up to \d; upgrade"):
        operation_from_json({**content, "version": 99})
    with pytest.raises(UsageError, match=f"{name} has no parameter 'nonsense'"):
        kind.from_parameters({"nonsense": 1})


@pytest.mark.parametrize("name", NAMES)
def test_numbers_out_of_range_are_refused(name: str) -> None:
    for one in operations()[name].parameters():
        if isinstance(one["default"], float) and one["high"] is not None:
            with pytest.raises(UsageError, match=rf"{name} {one['parameter']}: .* is out of range"):
                operations()[name].from_parameters({one["parameter"]: one["high"] + 1.0})


@pytest.mark.parametrize("name", NAMES)
def test_the_same_edit_gives_the_same_bytes(name: str) -> None:
    first, second = put_on(example(name), seed=3), put_on(example(name), seed=3)

    assert first.motion.rotations.tobytes() == second.motion.rotations.tobytes()
    assert first.motion.root_positions.tobytes() == second.motion.root_positions.tobytes()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"start": 500, "stop": 700}, "there are no frames 500-700 to edit; the motion has 0-600"),
        ({"joints": ["LeftHandd"]}, "has no joint 'LeftHandd'; did you mean LeftHand"),
        ({"joints": ["RightUperArm"]}, "did you mean RightUpperArm or RightForearm or LeftUpperArm"),
        ({"joints": ["right shoulder"]}, "did you mean RightUpperArm\\?"),
        ({"joints": ["RightCalf"]}, "did you mean RightShin\\?"),
    ],
)
def test_bad_places_are_refused(values: dict, message: str) -> None:
    with pytest.raises((UsageError, SkeletonError), match=message):
        put_on(example("smooth"), **values)


@pytest.mark.parametrize(("word", "part"), [("RightElbow", "RightForearm"), ("left knee", "LeftShin")])
def test_joints_go_by_what_people_call_them(word: str, part: str) -> None:
    assert joints_called(subject(), word) == joints_called(subject(), part)


def test_an_unknown_operation_is_told() -> None:
    with pytest.raises(UsageError, match=r"no operation is called 'smoothe'; did you mean smooth\?"):
        operation_from_json({"operation": "smoothe"})
    with pytest.raises(UsageError, match="no operation is called 'xyz'; there are additive, balance"):
        operation_from_json({"operation": "xyz"})
    with pytest.raises(UsageError, match=r"smooth has no parameter 'cutof_hz'; did you mean cutoff_hz\?"):
        operations()["smooth"].from_parameters({"cutof_hz": 4})


def test_mirroring_twice_gives_the_original() -> None:
    once = put_on(example("mirror"))
    twice = put_on(example("mirror"), Subject(once.motion, subject().body, once.plants))

    assert farthest(once, subject()) > 0.1
    assert farthest(twice, subject()) <= 1e-6
    assert {plant.foot for plant in once.plants if plant.start == subject().plants[0].start} != set()
    assert sorted(twice.plants, key=str) == sorted(subject().plants, key=str)


def test_only_chosen_joints_change() -> None:
    edited = put_on(example("noise"), joints=["left arm"])
    skeleton = subject().motion.skeleton
    changed = np.abs(edited.motion.rotations - subject().motion.rotations).max(axis=(0, 2)) > 1e-9

    assert {skeleton.names[joint] for joint in np.flatnonzero(changed)} == {
        "LeftClavicle", "LeftUpperArm", "LeftForearm", "LeftHand",
    }  # fmt: skip
