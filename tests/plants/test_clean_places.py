import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.plants import Plant, cut_plants
from motionary.plants.clean_places import choose_places

LENGTH = 0.2


def standing_points(n_frames=60):
    """Heels and balls (F, 2, 2, 3) of feet that stand still, the left at x = 0.1, the right at −0.1."""
    points = np.zeros((n_frames, 2, 2, 3))
    points[:, 0, :, 0], points[:, 1, :, 0] = 0.1, -0.1
    points[:, :, 1, 2] = LENGTH
    return points


def choose(points, plants, *, reach=0.3, from_motion=False):
    return choose_places(points, plants, frame_time=1 / 60, reach=reach, from_motion=from_motion)


def test_plants_are_held_at_their_places_frame_by_frame():
    plants = [Plant("right", "toe", 10, 40, (-0.1, 0.01, LENGTH)), Plant("left", "heel", 0, 99, (0.1, 0.02, 0.0))]

    holding = choose(standing_points(), plants)

    assert [(held.plant.foot, held.plant.stop, held.held) for held in holding.plants] == [
        ("left", 60, True),  # cut at the motion's end
        ("right", 40, True),
    ]
    assert [held.distance for held in holding.plants] == pytest.approx([0.02, 0.01])
    assert holding.planted[:, 0, 0].all()
    assert np.flatnonzero(holding.planted[:, 1, 1]).tolist() == list(range(10, 40))
    assert holding.places[20, 1, 1] == pytest.approx([-0.1, 0.01, LENGTH])


def test_a_place_out_of_reach_is_reported_and_not_held():
    holding = choose(standing_points(), [Plant("left", "toe", 5, 20, (0.1, 0.0, LENGTH + 0.31))])

    (held,) = holding.plants
    assert (held.reason, held.held) == ("out of reach", False)
    assert held.distance == held.left == pytest.approx(0.31)
    assert not holding.planted.any()
    assert choose(standing_points(), [held.plant], reach=0.32).plants[0].held


def test_places_can_come_from_the_motion():
    points = standing_points()
    points[:, 0, 0, 2] = np.linspace(-0.03, 0.03, 60)

    holding = choose(points, [Plant("left", "heel", 0, 60, (9.0, 9.0, 9.0))], from_motion=True)

    assert holding.plants[0].place == pytest.approx((0.1, 0.0, 0.0))
    assert holding.plants[0].distance == pytest.approx(0.03)


def test_places_of_heel_and_toe_that_stand_together_are_brought_to_the_length_of_the_foot():
    plants = [Plant("left", "heel", 0, 30, (0.1, 0.0, -0.02)), Plant("left", "toe", 20, 50, (0.1, 0.0, LENGTH + 0.01))]

    heel, toe = choose(standing_points(), plants).plants

    assert np.subtract(toe.place, heel.place) == pytest.approx([0.0, 0.0, LENGTH], abs=1e-6)
    assert heel.place[2] == pytest.approx(-0.005)  # both gave the same: they stand equally long


def test_a_toe_between_two_heels_fits_both():
    plants = [
        Plant("left", "heel", 0, 20, (0.1, 0.0, 0.01)),
        Plant("left", "heel", 40, 60, (0.11, 0.0, -0.01)),
        Plant("left", "toe", 0, 60, (0.1, 0.0, LENGTH)),
    ]

    first, second, toe = choose(standing_points(), plants).plants

    for heel in (first, second):
        assert np.linalg.norm(np.subtract(toe.place, heel.place)) == pytest.approx(LENGTH, abs=1e-5)


def test_places_that_no_foot_fits_are_not_both_held():
    plants = [Plant("left", "heel", 0, 10, (0.1, 0.0, -0.2)), Plant("left", "toe", 0, 50, (0.1, 0.0, LENGTH))]

    heel, toe = choose(standing_points(), plants).plants

    assert heel.reason == "does not fit the foot"
    assert toe.held


def test_a_foot_that_crept_has_one_foothold():
    plants = [Plant("left", "toe", 0, 20, (0.1, 0.0, 0.20)), Plant("left", "toe", 23, 33, (0.1, 0.0, 0.23))]

    holding = choose(standing_points(), plants)

    assert [held.place for held in holding.plants] == [pytest.approx((0.1, 0.0, 0.21))] * 2
    assert holding.planted[:33, 0, 1].all()  # what lies between is held as well


def test_footholds_apart_leave_time_for_the_step():
    plants = [Plant("left", "toe", 0, 30, (0.1, 0.0, 0.20)), Plant("left", "toe", 31, 60, (0.1, 0.0, 0.30))]

    first, second = choose(standing_points(), plants).plants

    assert second.plant.start - first.plant.stop == 12  # 0.2 s
    assert (first.held, second.held) == (True, True)


def test_a_foothold_without_time_is_reported():
    plants = [Plant("left", "toe", 0, 1, (0.1, 0.0, 0.20)), Plant("left", "toe", 1, 2, (0.1, 0.0, 0.30))]

    assert "too near another" in [held.reason for held in choose(standing_points(), plants).plants]


def test_plants_are_cut_to_a_segment():
    plants = [Plant("left", "toe", 0, 30, (0.0, 0.0, 0.0)), Plant("left", "toe", 40, 60, (1.0, 0.0, 0.0))]

    assert [(p.start, p.stop) for p in cut_plants(plants, 20, 50)] == [(0, 10), (20, 30)]
    assert cut_plants(plants, 30, 40) == []
    with pytest.raises(UsageError, match=r"no frames \[5, 5\) to trim plants to"):
        cut_plants(plants, 5, 5)


@pytest.mark.parametrize(
    ("plants", "message"),
    [
        (
            [Plant("left", "toe", 60, 70, (0, 0, 0))],
            "a plant of the left toe begins at frame 60, but the motion has 60",
        ),
        (
            [Plant("left", "toe", 0, 9, (0, np.nan, 0))],
            "the left toe has a plant at .*nan.*, which is not a valid position",
        ),
        (
            [Plant("left", "heel", 0, 9, (0, 0, 0)), Plant("left", "heel", 8, 20, (0, 0, 0))],
            r"the left heel is planted twice in frame 8: \[0, 9\) and \[8, 20\)",
        ),
    ],
)
def test_bad_plants_are_refused(plants, message):
    with pytest.raises(UsageError, match=message):
        choose(standing_points(), plants)


def test_a_heel_and_a_toe_that_follow_each_other_leave_time_for_what_lies_between():
    """They never stand together, and pull the foot 3 cm apart: without time it would jump."""
    plants = [Plant("left", "heel", 0, 30, (0.115, 0.0, 0.0)), Plant("left", "toe", 30, 60, (0.085, 0.0, LENGTH))]

    holding = choose(standing_points(), plants)

    heel, toe = (held.plant for held in holding.plants)
    assert toe.start - heel.stop == 12  # 0.2 s
    assert (heel.start, toe.stop) == (0, 60)


def test_a_heel_and_a_toe_that_agree_need_no_time():
    plants = [Plant("left", "heel", 0, 30, (0.12, 0.0, 0.0)), Plant("left", "toe", 30, 60, (0.12, 0.0, LENGTH))]

    holding = choose(standing_points(), plants)

    assert [(held.plant.start, held.plant.stop) for held in holding.plants] == [(0, 30), (30, 60)]


def test_places_that_would_turn_the_foot_upright_are_not_those_of_one_stance():
    plants = [Plant("left", "heel", 0, 50, (0.1, 0.0, 0.0)), Plant("left", "toe", 20, 30, (0.1, 0.17, 0.1))]

    holding = choose(standing_points(), plants)

    assert [held.reason for held in holding.plants] == ["", "does not fit the foot"]


def test_a_foot_that_is_on_its_way_already_is_let_go():
    """Landing at 0.5 m/s for three frames, off at 0.5 m/s for two: frames at the ends of which nothing stands."""
    points = np.zeros((60, 2, 2, 3))
    points[:, 0, 1, 2] = np.interp(np.arange(60), [0, 10, 13, 46, 48, 60], [-0.2, -0.05, 0.0, 0.0, 0.034, 0.3])
    toe = Plant("left", "toe", 10, 49, (0.0, 0.0, 0.0))

    (kept,) = choose_places(points, [toe], frame_time=1 / 30, reach=0.3, from_motion=False, let_go=0.15).plants
    (whole,) = choose_places(points, [toe], frame_time=1 / 30, reach=0.3, from_motion=False).plants

    assert (whole.plant.start, whole.plant.stop) == (10, 49)
    assert (kept.plant.start, kept.plant.stop) == (13, 47)
    assert kept.distance < 1e-9


def test_a_foot_that_slides_all_the_time_is_held_all_the_time():
    points = np.zeros((60, 2, 2, 3))
    points[:, 0, 1, 2] = 0.5 / 30 * np.arange(60)
    toe = Plant("left", "toe", 25, 35, (0.0, 0.0, 0.5))

    (kept,) = choose_places(points, [toe], frame_time=1 / 30, reach=0.3, from_motion=False, let_go=0.15).plants

    assert (kept.plant.start, kept.plant.stop) == (25, 35)


def test_a_foot_that_no_leg_could_hold_to_its_end_is_let_go_before():
    """The hips go on over a foot that stands: in the last frames the straight leg would have to be 2 cm longer."""
    points, limbs = np.zeros((60, 2, 2, 3)), np.zeros((60, 2, 3, 3))
    lifted = np.interp(np.arange(60), [56, 60], [0.0, 0.04])
    points[:, :, 1, 1] = lifted[:, None]
    limbs[:, :, :, 1] = lifted[:, None, None] + [0.9, 0.5, 0.1]  # hip, knee and ankle, one below the other
    toe = Plant("left", "toe", 10, 60, (0.0, 0.0, 0.0))

    (kept,) = choose_places(
        points, [toe], frame_time=1 / 30, reach=0.3, from_motion=False, let_go=9.0, limbs=limbs
    ).plants
    limbs[:, :, 1, 2] = 0.2  # a knee that is bent
    (bent,) = choose_places(
        points, [toe], frame_time=1 / 30, reach=0.3, from_motion=False, let_go=9.0, limbs=limbs
    ).plants

    assert (kept.plant.start, kept.plant.stop) == (10, 57)
    assert (bent.plant.start, bent.plant.stop) == (10, 60)
