import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.ik import two_bone
from motionary.motion import rotations
from motionary.motion.rotations import from_rotation_vector, multiply, rotate
from strategies import directions, numbers, unit_quaternions, vectors

X, Y, Z = np.eye(3)
HIP, KNEE, ANKLE = 1.0 * Y, np.array([0.0, 0.55, 0.05]), np.array([0.0, 0.1, 0.0])
lengths = numbers(0.05, 1.0)


@st.composite
def limbs(draw):
    """(upper, middle, end): bent by anything from straight to folded, anywhere, turned anyhow."""
    first, second, bend = draw(lengths), draw(lengths), draw(numbers(0.0, np.pi))
    upper, turn = draw(vectors()), draw(unit_quaternions())
    middle = upper + rotate(turn, first * Z)
    return upper, middle, middle + rotate(turn, second * np.array([np.sin(bend), 0.0, np.cos(bend)]))


def lengths_of(upper, middle, end):
    return np.linalg.norm(middle - upper, axis=-1), np.linalg.norm(end - middle, axis=-1)


def check_turns_give_places(limb, turns, *, within=1e-9):
    """The turns are rotations that carry the bones to the places that come with them, at their lengths."""
    upper, middle, end = limb
    for turn in (turns.upper, turns.lower):
        assert np.linalg.norm(turn, axis=-1) == pytest.approx(1.0)
    assert upper + rotate(turns.upper, middle - upper) == pytest.approx(turns.middle, abs=within)
    assert turns.middle + rotate(turns.lower, end - middle) == pytest.approx(turns.end, abs=within)


@given(limb=limbs(), target=vectors(3.0), pole=st.none() | directions(), soft=st.sampled_from([0.0, 0.02, 0.3]))
def test_bones_keep_their_lengths_and_the_end_comes_as_near_as_they_allow(limb, target, pole, soft):
    first, second = lengths_of(*limb)

    turns = two_bone(*limb, target, pole=pole, soft=soft)

    check_turns_give_places(limb, turns)
    assert lengths_of(limb[0], turns.middle, turns.end) == pytest.approx((first, second), abs=1e-9)
    distance = np.linalg.norm(target - limb[0])
    least_gap = max(0.0, distance - (first + second), abs(first - second) - distance)
    assert turns.unreached == pytest.approx(np.linalg.norm(target - turns.end))
    if soft == 0.0:
        assert turns.unreached == pytest.approx(least_gap, abs=1e-8)
    else:
        assert least_gap - 1e-8 <= turns.unreached


@given(limb=limbs(), target=vectors(2.0))
def test_the_knee_stays_in_the_plane_that_swings_with_the_limb(limb, target):
    upper, middle, end = limb
    assume(np.linalg.norm(np.cross(middle - upper, end - upper)) > 1e-3)
    assume(np.linalg.norm(target - upper) > 1e-3)
    swing = rotations.between_vectors(end - upper, target - upper)
    normal = rotate(swing, np.cross(end - upper, middle - upper))
    normal /= np.linalg.norm(normal)

    turns = two_bone(*limb, target)

    assert normal @ (turns.middle - upper) == pytest.approx(0.0, abs=1e-9)
    assert np.dot(np.cross(target - upper, turns.middle - upper), normal) >= -1e-9  # and on its side
    for turn in (turns.upper, turns.lower):  # beyond the swing both bones only turn within the plane
        within = multiply(turn, rotations.inverse(swing))
        assert rotate(within, normal) == pytest.approx(normal, abs=1e-9)


@given(limb=limbs())
def test_a_limb_that_is_there_already_stays(limb):
    upper, middle, end = limb
    assume(np.linalg.norm(np.cross(middle - upper, end - upper)) > 1e-3)

    turns = two_bone(*limb, end)

    assert rotations.angle_between(turns.upper, rotations.IDENTITY) <= 1e-6
    assert rotations.angle_between(turns.lower, rotations.IDENTITY) <= 1e-6
    assert turns.middle == pytest.approx(middle, abs=1e-7)


def test_a_right_angle_by_hand():
    upper, middle, end = np.zeros(3), np.array([0.3, 0.0, 0.0]), np.array([0.3, -0.1, 0.0])  # in the x–y plane

    turns = two_bone(upper, middle, end, np.array([0.0, -0.5, 0.0]), soft=0.0)

    assert turns.unreached == pytest.approx(0.1)  # 0.4 long, straight down
    assert turns.end == pytest.approx([0.0, -0.4, 0.0])
    turns = two_bone(upper, np.array([0.3, 0.0, 0.0]), np.array([0.3, -0.4, 0.0]), np.array([0.0, -0.5, 0.0]))
    assert turns.unreached == pytest.approx(0.0, abs=1e-12)
    assert turns.middle == pytest.approx([0.24, -0.18, 0.0])  # the 3–4–5 triangle, its height 0.24


@pytest.mark.parametrize("seed", range(6))
def test_a_numerical_solver_finds_the_same_limb(seed):
    """Gauss–Newton on the knee's place in the plane of the bend: bones and target given, side kept."""
    rng = np.random.default_rng(seed)
    upper, middle, end = rng.normal(size=(3, 3))
    first, second = lengths_of(upper, middle, end)
    reach = rng.uniform(abs(first - second) + 0.05, first + second - 0.05)
    direction = rotate(from_rotation_vector(rng.normal(size=3)), X)
    target = upper + reach * direction
    swing = rotations.between_vectors(end - upper, direction)

    found = upper + rotate(swing, middle - upper)  # where the knee comes with the swing alone
    normal = np.cross(rotate(swing, end - upper), found - upper)
    normal /= np.linalg.norm(normal)
    for _ in range(100):
        misfit = np.array(
            [(found - upper) @ (found - upper) - first**2, (found - target) @ (found - target) - second**2,
             normal @ (found - upper)]
        )  # fmt: skip
        slope = np.array([2.0 * (found - upper), 2.0 * (found - target), normal])
        step = np.linalg.lstsq(slope, -misfit, rcond=None)[0]
        found = found + step * min(1.0, 0.3 / max(np.linalg.norm(step), 1e-12))

    turns = two_bone(upper, middle, end, target)

    side = np.sign(np.cross(direction, found - upper) @ normal)
    off_line = found - upper - ((found - upper) @ direction) * direction
    on_its_side = found - (1.0 - side) * off_line  # the equations do not know on which side the knee was
    assert turns.middle == pytest.approx(on_its_side, abs=1e-8)
    assert turns.end == pytest.approx(target, abs=1e-9)


def test_no_other_bend_in_the_plane_comes_nearer():
    """Brute force over both joints' angles in the plane, for targets in and out of reach."""
    upper, middle, end = HIP, KNEE, ANKLE
    angles = np.linspace(-np.pi, np.pi, 721)
    first, second = lengths_of(upper, middle, end)
    circle = np.stack([np.zeros_like(angles), np.sin(angles), np.cos(angles)], axis=-1)
    ends = upper + first * circle[:, None] + second * circle[None]
    for target in ([0.0, 0.2, 0.3], [0.0, 1.0, 0.02], [0.0, -3.0, 1.0], [0.0, 0.9, -0.4]):
        best = np.linalg.norm(ends - np.array(target), axis=-1).min()

        assert two_bone(upper, middle, end, np.array(target)).unreached <= best + 1e-9


@pytest.mark.parametrize("pole", [X, Z, -Z, np.array([0.3, 0.0, -0.4])])
def test_a_straight_limb_bends_towards_the_pole(pole):
    upper, middle, end = np.zeros(3), -0.5 * Y, -1.0 * Y

    turns = two_bone(upper, middle, end, -0.8 * Y, pole=pole)

    assert turns.middle == pytest.approx(-0.4 * Y + 0.3 * pole / np.linalg.norm(pole))
    assert turns.end == pytest.approx(-0.8 * Y)


@pytest.mark.parametrize("pole", [X, Z])
@pytest.mark.parametrize(
    ("middle", "end", "target"),
    [(-0.3 * Y, -1.0 * Y, -0.4 * Y), (-0.5 * Y, 0.0 * Y, 2.0 * Y)],
    ids=["a straight limb at its least reach", "a folded limb that stretches away from its knee"],
)
def test_a_bone_that_turns_about_does_so_within_the_plane_of_the_bend(middle, end, target, pole):
    turns = two_bone(np.zeros(3), middle, end, target, pole=pole)

    normal = np.cross(Y, pole)
    assert turns.middle == pytest.approx(-middle, abs=1e-4)
    assert rotate(turns.upper, normal) == pytest.approx(normal, abs=1e-9)


def test_an_overstretched_limb_bends_towards_the_pole_if_told_to():
    """A knee that is 2 cm behind goes ahead; one that is 20 cm behind stays behind."""
    ahead = np.array([0.0, 0.0, 1.0])
    for behind, share, goes_ahead in ((0.02, 0.0, False), (0.02, 0.25, True), (0.2, 0.25, False)):
        hip, knee, ankle = np.array([[0.0, 0.9, 0.0], [0.0, 0.5, -behind], [0.0, 0.1, 0.0]])
        found = two_bone(hip, knee, ankle, ankle + np.array([0.0, 0.1, 0.0]), pole=ahead, bent_back=share)

        assert (found.middle[2] > 0.0) == goes_ahead
        assert found.unreached < 1e-9


def test_a_bent_limb_does_not_look_at_the_pole():
    with_pole, without = (two_bone(HIP, KNEE, ANKLE, [0.1, 0.3, 0.1], pole=pole) for pole in (-Z, None))

    assert with_pole.middle == pytest.approx(without.middle)


@pytest.mark.parametrize("pole", [None, Z, Y], ids=["no pole", "a pole", "a pole along the limb"])
@pytest.mark.parametrize("soft", [0.0, 0.1])
@pytest.mark.parametrize(
    ("middle", "end", "target"),
    [
        (-0.5 * Y, -1.0 * Y, -0.7 * Y),  # straight, to be bent
        (-0.5 * Y, -1.0 * Y, 0.7 * Y),  # straight, to the opposite side
        (-0.5 * Y, -1.0 * Y, -1.0 * Y),  # straight and there
        (-0.5 * Y, -1.0 * Y, -9.0 * Y),  # straight and far out of reach
        (-0.5 * Y, -1.0 * Y, 0.0 * Y),  # target at the hip
        (-0.5 * Y, 0.0 * Y, 0.0 * Y),  # folded and there
        (-0.5 * Y, 0.0 * Y, 0.8 * X),  # folded, to be stretched
        (-0.5 * Y, 0.0 * Y, -0.8 * Y),  # folded, along its bones
        (-0.5 * Y, -0.2 * Y, -0.1 * Y),  # folded bones of different lengths, target too near
        (-0.3 * Y, -1.0 * Y, -0.4 * Y),  # the least reach of a straight limb: the upper bone turns about
        (0.0 * Y, -0.5 * Y, 0.5 * X),  # no upper bone
        (-0.5 * Y, -0.5 * Y, 0.5 * X),  # no lower bone
        (-0.5 * Y, -0.5 * Y, 0.0 * X),
        (0.0 * Y, 0.0 * Y, 0.5 * X),  # no bones at all
        (0.0 * Y, 0.0 * Y, 0.0 * X),
    ],
)
def test_singular_places_have_an_answer(middle, end, target, pole, soft):
    limb = (np.zeros(3), middle, end)

    turns = two_bone(*limb, target, pole=pole, soft=soft)

    check_turns_give_places(limb, turns)
    first, second = lengths_of(*limb)
    distance = np.linalg.norm(target)
    if soft == 0.0:
        gap = max(0.0, distance - first - second, abs(first - second) - distance)
        assert turns.unreached == pytest.approx(gap, abs=1e-8)


@given(limb=limbs(), direction=directions(), soft=st.sampled_from([0.01, 0.1, 0.5]))
def test_softness_is_monotone_continuous_and_never_stretches(limb, direction, soft):
    first, second = lengths_of(*limb)
    length = first + second
    wanted = np.linspace(abs(first - second) + 1e-6, 1.5 * length, 400)

    turns = two_bone(*limb, limb[0] + wanted[:, None] * direction, soft=soft)

    reached = np.linalg.norm(turns.end - limb[0], axis=-1)
    steps = np.diff(reached)
    assert np.all(steps >= -1e-9)
    assert np.all(steps <= np.diff(wanted) + 1e-9)  # no faster than the target: no pop
    assert np.all(reached <= length + 1e-12)
    unsoftened = (wanted <= (1.0 - soft) * length) & (wanted >= abs(first - second) + 1e-6)
    assert reached[unsoftened] == pytest.approx(wanted[unsoftened], abs=1e-9)


def test_softness_starts_without_a_kink():
    length = sum(lengths_of(HIP, KNEE, ANKLE))
    wanted = length * (0.9 + np.array([-1e-5, 0.0, 1e-5]))

    turns = two_bone(HIP, KNEE, ANKLE, HIP - wanted[:, None] * Y, soft=0.1)

    below, above = np.diff(np.linalg.norm(turns.end - HIP, axis=-1))
    assert above == pytest.approx(below, rel=1e-3)


def test_small_steps_of_the_target_are_small_steps_of_the_limb():
    """A foot that goes round and out of reach and back: neither knee nor orientation jumps."""
    time = np.linspace(0.0, 2.0 * np.pi, 2000)
    target = HIP + np.stack([0.2 * np.sin(time), -0.7 + 0.4 * np.cos(time), 0.3 * np.sin(2 * time)], axis=-1)

    turns = two_bone(HIP, KNEE, ANKLE, target, soft=0.05)

    assert np.linalg.norm(np.diff(turns.middle, axis=0), axis=-1).max() < 0.02
    for turn in (turns.upper, turns.lower):
        assert rotations.angle_between(turn[1:], turn[:-1]).max() < 0.05


def test_many_frames_at_once_are_each_frame_alone():
    rng = np.random.default_rng(0)
    places = rng.normal(size=(4, 7, 3))

    together = two_bone(*places, soft=0.02, pole=Z)

    for f in range(7):
        alone = two_bone(*places[:, f], soft=0.02, pole=Z)
        assert together.middle[f] == pytest.approx(alone.middle)
        assert together.upper[f] == pytest.approx(alone.upper)
        assert together.unreached[f] == pytest.approx(alone.unreached)


def test_one_limb_and_many_targets():
    targets = HIP - np.linspace(0.2, 0.8, 5)[:, None] * Y

    turns = two_bone(HIP, KNEE, ANKLE, targets)

    assert turns.upper.shape == (5, 4)
    assert turns.end == pytest.approx(targets)


@pytest.mark.parametrize("soft", [-0.1, 1.0, np.nan])
def test_softness_is_a_share(soft):
    with pytest.raises(UsageError, match=f"a softness of {soft:g} is not possible; it is a share of the limb, from 0"):
        two_bone(HIP, KNEE, ANKLE, ANKLE, soft=soft)
