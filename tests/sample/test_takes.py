"""What every routine promises, whoever performs it: plants, targets, labels, balance, smoothness."""

import numpy as np
import pytest

from motionary.motion import GRAVITY, rotations
from motionary.sample import ACTIONS, ACTORS, ROUTINES, Routine, Take
from motionary.sample.performer import Performer

CASES = [
    pytest.param(routine, actor, id=f"{'+'.join(routine.labels)}-{i}-{ACTORS[actor].name}")
    for i, routine in enumerate(ROUTINES)
    for actor in (i % len(ACTORS), (i + 3) % len(ACTORS))
]
pytestmark = pytest.mark.parametrize(("routine", "actor"), CASES)


@pytest.fixture
def performed(perform, routine: Routine, actor: int) -> tuple[Performer, Take]:
    return perform(routine.perform, actor, seed=actor)


def test_planted_heels_and_toes_stay_at_their_place(performed: tuple[Performer, Take]) -> None:
    _, take = performed
    motion, skeleton = take.motion, take.motion.skeleton
    heels = {"left": "LeftFoot", "right": "RightFoot"}

    for plant in take.plants:
        if plant.part == "toe":
            track = motion.positions_world[:, skeleton.index(f"{plant.foot.title()}Toe")]
        else:
            site = list(skeleton.end_site_joints).index(skeleton.index(heels[plant.foot]))
            track = motion.end_sites_world[:, site]
        off = np.linalg.norm(track[plant.start : plant.stop] - plant.place, axis=-1)
        assert off.max() < 1e-3, plant


def test_feet_that_are_not_planted_move_and_a_standing_body_has_a_plant(performed: tuple[Performer, Take]) -> None:
    p, take = performed
    planted = np.zeros(take.motion.n_frames, dtype=bool)
    for plant in take.plants:
        planted[plant.start : plant.stop] = True
    flying = np.zeros_like(planted)
    for off, on in p.flights:
        flying[int(off * 60) : int(on * 60) + 2] = True
    for label in take.labels:
        if label.name == "cartwheel":  # hands bear the body
            flying[label.start : label.stop] = True

    assert np.all(planted | flying)


def test_nothing_goes_below_the_ground(performed: tuple[Performer, Take]) -> None:
    _, take = performed
    hands = any(label.name == "cartwheel" for label in take.labels)

    assert take.motion.positions_world[..., 1].min() > -1e-6
    assert take.motion.end_sites_world[..., 1].min() > (-0.03 if hands else -1e-3)


def test_hands_arrive_at_their_targets(performed: tuple[Performer, Take]) -> None:
    _, take = performed

    for target in take.targets:
        place = take.motion.positions_world[target.frame, take.motion.skeleton.index(target.joint)]
        assert np.linalg.norm(place - target.place) < 5e-3, target


def test_joints_turn_smoothly(performed: tuple[Performer, Take]) -> None:
    _, take = performed
    q = take.motion.rotations
    velocity = rotations.to_rotation_vector(rotations.multiply(rotations.inverse(q[:-1]), q[1:])) * 60.0
    acceleration = np.diff(velocity, axis=0) * 60.0

    assert np.linalg.norm(velocity, axis=-1).max() < 32.0
    assert np.linalg.norm(acceleration, axis=-1).max() < 1600.0


def test_joints_move_smoothly(performed: tuple[Performer, Take]) -> None:
    _, take = performed
    acceleration = np.diff(take.motion.positions_world, 2, axis=0) * 60.0**2

    assert np.linalg.norm(acceleration, axis=-1).max() < 300.0
    assert np.linalg.norm(acceleration[:, 0], axis=-1).max() < 60.0  # the pelvis is heavy


def test_quaternions_are_unit_and_continuous(performed: tuple[Performer, Take]) -> None:
    _, take = performed
    q = take.motion.rotations

    assert np.linalg.norm(q, axis=-1) == pytest.approx(1.0, abs=1e-9)
    assert np.sum(q[1:] * q[:-1], axis=-1).min() > 0.9


def test_flying_bodies_fall(performed: tuple[Performer, Take]) -> None:
    p, take = performed

    for off, on in p.flights:
        frames = slice(int(np.ceil(off * 60.0)), int(np.floor(on * 60.0)) + 1)
        height = take.motion.root_positions[frames, 1]
        if len(height) >= 3:
            assert np.diff(height, 2) * 60.0**2 == pytest.approx(-GRAVITY, abs=0.5), (off, on)


def test_legs_keep_a_bend_in_the_knee(performed: tuple[Performer, Take]) -> None:
    p, take = performed
    positions, skeleton = take.motion.positions_world, take.motion.skeleton

    for side in ("Left", "Right"):
        hip, knee, ankle = (positions[:, skeleton.index(side + joint)] for joint in ("Thigh", "Shin", "Foot"))
        assert np.linalg.norm(ankle - hip, axis=-1).max() < 0.993 * p.leg
        thigh, shin = knee - hip, ankle - knee
        pelvis = take.motion.rotations_world[:, 0]
        hinge = np.cross(thigh, shin)
        assert np.sum(hinge * rotations.rotate(pelvis, np.array([1.0, 0.0, 0.0])), axis=-1).min() > 0.0


def test_labels_name_the_actions_and_cover_the_take(performed: tuple[Performer, Take], routine: Routine) -> None:
    _, take = performed
    covered = np.zeros(take.motion.n_frames, dtype=int)
    for label in take.labels:
        covered[label.start : label.stop] += 1

    assert {label.name for label in take.labels} - {"idle"} == set(routine.labels)
    assert {label.name for label in take.labels} <= set(ACTIONS)
    assert np.all(covered == 1)


def test_it_ends_standing_at_ease_as_it_began(performed: tuple[Performer, Take]) -> None:
    p, take = performed
    first, last = take.motion.rotations[30], take.motion.rotations[-2]

    apart = rotations.angle_between(first[1:], last[1:])

    assert np.degrees(apart).max() < 12.0
    assert take.motion.root_positions[-1, 1] - p.ground == pytest.approx(take.motion.root_positions[30, 1], abs=0.02)
    for s in ("left", "right"):
        assert p.tracks[f"reaching_{s}"].last[0] == 0.0
        assert p.tracks[f"free_{s}"].last[0] == 0.0
    assert np.linalg.norm(p.feet.soles["left"] - p.feet.soles["right"]) == pytest.approx(p.stance, abs=0.02)


def test_standing_still_is_in_balance(performed: tuple[Performer, Take]) -> None:
    p, take = performed
    head = take.motion.positions_world[-1, take.motion.skeleton.index("Head"), [0, 2]]

    assert np.linalg.norm(take.motion.root_positions[-1, [0, 2]] - p.support()) < 0.08
    assert np.linalg.norm(head - p.support()) < 0.2
