"""What the tracks mean: where limbs go when asked."""

import numpy as np
import pytest

from motionary.motion import rotations
from motionary.sample import ACTORS
from motionary.sample.figure import SIDES, SIGN, Figure, Values, sole_points
from motionary.sample.performer import Performer

ACTOR = ACTORS[0]


def standing(**changes: tuple[float, ...]) -> Figure:
    """One pose at the origin, facing +z, with some tracks changed."""
    p = Performer(ACTOR, np.random.default_rng(0))
    values: Values = {name: track.last[None].copy() for name, track in p.tracks.items()}
    values["hanging"][:] = 0.0
    for s in SIDES:
        values[f"elbow_{s}"][:] = 0.0
    for name, value in changes.items():
        values[name] = np.array([value], dtype=float)
    values["spine"] = np.array([changes.get("spine", (0.0, 0.0, 0.0))])
    return Figure(ACTOR.skeleton, values, np.zeros((1, 3)))


def direction(figure: Figure, start: str, stop: str) -> np.ndarray:
    away = figure.places[stop][0] - figure.places[start][0]
    return np.asarray(away / np.linalg.norm(away))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("arm", "points"),
    [
        ((0.0, 0.0, 0.0), (0.0, -1.0, 0.0)),
        ((np.pi / 2, 0.0, 0.0), (0.0, 0.0, 1.0)),
        ((np.pi, 0.0, 0.0), (0.0, 1.0, 0.0)),
        ((0.0, np.pi / 2, 0.0), (1.0, 0.0, 0.0)),
        ((-0.5, 0.0, 0.0), (0.0, -np.cos(0.5), -np.sin(0.5))),
    ],
)
def test_arms_go_forwards_and_sideways(side: str, arm: tuple[float, ...], points: tuple[float, ...]) -> None:
    figure = standing(**{f"arm_{side}": arm})

    upper = direction(figure, f"{side.title()}UpperArm", f"{side.title()}Forearm")

    assert upper == pytest.approx(np.array(points) * [SIGN[side], 1.0, 1.0], abs=1e-9)


@pytest.mark.parametrize("side", SIDES)
def test_elbows_bend_forwards_and_turn_up_when_the_arm_is_turned_out(side: str) -> None:
    hanging = standing(**{f"elbow_{side}": (np.pi / 2,)})
    turned = standing(**{f"arm_{side}": (0.0, np.pi / 2, np.pi / 2), f"elbow_{side}": (np.pi / 2,)})

    bones = f"{side.title()}Forearm", f"{side.title()}Hand"

    assert direction(hanging, *bones)[2] > 0.98  # the hanging arms stand off a little
    assert direction(turned, *bones) == pytest.approx([0.0, 1.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("side", SIDES)
def test_shoulders_go_up_and_forwards(side: str) -> None:
    rest, up, ahead = (standing(**{f"shoulder_{side}": v}) for v in ((0.0, 0.0), (0.3, 0.0), (0.0, 0.3)))
    joint = f"{side.title()}UpperArm"

    assert up.places[joint][0, 1] > rest.places[joint][0, 1] + 0.03
    assert ahead.places[joint][0, 2] > rest.places[joint][0, 2] + 0.03


@pytest.mark.parametrize("side", SIDES)
def test_wrists_reach_places_within_the_arms_length(side: str) -> None:
    place = np.array([SIGN[side] * 0.3, 1.2, 0.35])

    figure = standing(**{f"reach_{side}": tuple(place), f"reaching_{side}": (1.0,)})

    assert figure.places[f"{side.title()}Hand"][0] == pytest.approx(place, abs=1e-9)


def test_spine_bends_forwards_left_and_around() -> None:
    neck = standing().places["Neck1"][0]
    ahead, left, twisted = (standing(spine=v) for v in ((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.5)))

    assert ahead.places["Neck1"][0, 2] > neck[2] + 0.05
    assert left.places["Neck1"][0, 0] > neck[0] + 0.05
    assert twisted.places["LeftUpperArm"][0, 2] < standing().places["LeftUpperArm"][0, 2] - 0.05


def test_the_head_stays_level_as_far_as_it_is_stable() -> None:
    bent = {"spine": (0.6, 0.0, 0.0), "head": (0.0, 0.0, 0.0)}
    head = ACTOR.skeleton.index("Head")

    level, along = standing(stable=(1.0,), **bent), standing(stable=(0.0,), **bent)

    assert level.rotations_world[0, head] == pytest.approx(rotations.IDENTITY, abs=1e-9)
    assert rotations.angle_between(along.rotations_world[0, head], along.chest[0]) == pytest.approx(0.0, abs=1e-7)


def test_a_heel_rises_over_a_toe_that_stays() -> None:
    toe, tip = ACTOR.skeleton.index("LeftToe"), ACTOR.skeleton.end_sites(ACTOR.skeleton.index("LeftToe"))[0]
    flat, raised = standing(), standing(heel_lift_left=(0.5,))

    def places(figure: Figure) -> tuple[np.ndarray, np.ndarray]:
        foot = figure.rotations_world[0, ACTOR.skeleton.index("LeftFoot")]
        ball = figure.places["LeftFoot"][0] + rotations.rotate(foot, ACTOR.skeleton.offsets[toe])
        return ball, ball + rotations.rotate(figure.rotations_world[0, toe], tip)

    assert places(raised)[0] == pytest.approx(places(flat)[0], abs=1e-9)
    assert places(raised)[1] == pytest.approx(places(flat)[1], abs=1e-9)
    assert raised.places["LeftFoot"][0, 1] > flat.places["LeftFoot"][0, 1] + 0.04


def test_flat_feet_stand_on_the_ground_with_heel_lowest() -> None:
    ankle, heel, ball = sole_points(ACTOR.skeleton, "left")

    assert heel[1] == pytest.approx(0.0)
    assert 0.0 < ball[1] < 0.03 < ankle[1]


def test_knees_bend_forwards() -> None:
    figure = standing(height=(0.7,))

    for side in ("Left", "Right"):
        hip, knee, ankle = (figure.places[side + joint][0] for joint in ("Thigh", "Shin", "Foot"))
        assert knee[2] > max(hip[2], ankle[2]) + 0.1


def test_a_free_leg_goes_with_the_pelvis() -> None:
    figure = standing(free_left=(1.0,), leg_left=(np.pi / 2, 0.0, 0.9, 0.0))

    away = figure.places["LeftFoot"][0] - figure.places["LeftThigh"][0]

    assert away / np.linalg.norm(away) == pytest.approx([0.0, 0.0, 1.0], abs=1e-6)
    assert figure.places["LeftShin"][0, 1] > figure.places["LeftThigh"][0, 1]  # the knee points up


def test_stretched_legs_are_reported() -> None:
    assert standing().overstretch[0] == pytest.approx(0.0, abs=0.005)
    assert standing(height=(1.2,)).overstretch[0] > 0.2
    assert standing(height=(1.2,), airborne=(1.0,)).overstretch[0] == 0.0
