import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.naturalness import Standing, plants_within, standing_by_contacts, standing_by_plants
from motionary.plants import Plant
from naturalness.made_motions import BODY, still

LEFT_TOE = Plant("left", "toe", 2, 5, (0.1, 0.0, 0.2))
RIGHT_HEEL = Plant("right", "heel", 4, 9, (-0.1, 0.0, 0.0))


def test_plants_become_arrays_and_contacts():
    standing = standing_by_plants([LEFT_TOE, RIGHT_HEEL], 10)

    assert standing.points.tolist() == [1, 2]
    assert standing.spans.tolist() == [[2, 5], [4, 9]]
    contacts = standing.contacts
    assert contacts.shape == (10, 2, 2)
    assert np.flatnonzero(contacts[:, 0, 1]).tolist() == [2, 3, 4]
    assert np.flatnonzero(contacts[:, 1, 0]).tolist() == [4, 5, 6, 7, 8]
    assert contacts.sum() == 8


def test_contacts_become_plants_at_their_mean_places():
    motion = still(10)
    contacts = np.zeros((10, 2, 2), dtype=bool)
    contacts[0:3, 0, 0] = contacts[7:10, 0, 0] = contacts[5, 1, 1] = True

    standing = standing_by_contacts(contacts, motion, BODY)

    assert standing.points.tolist() == [0, 0, 3]
    assert standing.spans.tolist() == [[0, 3], [7, 10], [5, 6]]
    assert standing.places[2] == pytest.approx(BODY.feet.world(motion)[5, 1, 1])
    assert np.array_equal(standing.contacts, contacts)


def test_no_plants_are_no_contacts():
    assert not standing_by_plants([], 5).contacts.any()
    assert standing_by_contacts(np.zeros((5, 2, 2), dtype=bool), still(5), BODY).places.shape == (0, 3)


def test_plants_within_a_segment_start_anew():
    cut = plants_within([LEFT_TOE, RIGHT_HEEL], 4, 6)

    assert [(plant.foot, plant.start, plant.stop) for plant in cut] == [("left", 0, 1), ("right", 0, 2)]
    assert plants_within([LEFT_TOE], 5, 9) == []


@pytest.mark.parametrize(
    ("plant", "message"),
    [
        (
            {"points": [0], "spans": [(0, 11)], "places": [(0, 0, 0)]},
            r"frames \[0, 11\) is outside a motion of 10",
        ),
        ({"points": [4], "spans": [(0, 1)], "places": [(0, 0, 0)]}, "the point of a plant must be 0 to 3"),
        ({"points": [0], "spans": [(0, 1)], "places": [(0, np.nan, 0)]}, "place that is not a finite number"),
        ({"points": [0, 1], "spans": [(0, 1)], "places": [(0, 0, 0)]}, "needs a point, an interval and a position"),
    ],
)
def test_impossible_plants_are_refused(plant, message):
    with pytest.raises(UsageError, match=message):
        Standing(10, **plant)
