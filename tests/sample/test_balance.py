"""The centre of mass comes to stand where it is wanted, and no leg is stretched out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.sample import ACTORS
from motionary.sample.balance import MASSES, _eased, balanced, centre_of_mass, motion_of
from motionary.sample.figure import Values
from motionary.sample.performer import Performer


def values_of(p: Performer, n_frames: int = 1) -> Values:
    return {name: np.repeat(track.last[None], n_frames, axis=0) for name, track in p.tracks.items()}


def test_masses_make_up_a_body() -> None:
    assert sum(mass for _, _, mass in MASSES) == pytest.approx(1.0)


def test_the_centre_of_mass_stands_over_its_place_however_the_trunk_bends() -> None:
    p = Performer(ACTORS[0], np.random.default_rng(0))
    values = values_of(p, 3)
    values["spine"][:, 0] = (0.0, 0.6, 1.2)

    figure = balanced(p.skeleton, values)

    assert centre_of_mass(figure.places)[:, [0, 2]] == pytest.approx(values["place"], abs=2e-3)
    assert figure.places["Hips"][2, 2] < figure.places["Hips"][0, 2] - 0.05  # the hips go back


def test_without_balance_the_pelvis_stands_at_its_place() -> None:
    p = Performer(ACTORS[0], np.random.default_rng(0))
    values = values_of(p)
    values["balance"][:] = 0.0
    values["spine"][:] = 0.5

    assert balanced(p.skeleton, values).places["Hips"][:, [0, 2]] == pytest.approx(values["place"])


def test_the_pelvis_gives_way_to_legs_that_would_not_reach() -> None:
    p = Performer(ACTORS[0], np.random.default_rng(0))
    values = values_of(p, 60)
    values["height"][30:32] += 0.3

    motion = motion_of(p.skeleton, values, frame_time=1.0 / 60.0)

    feet = motion.positions_world[:, p.skeleton.index("LeftFoot")]
    assert np.ptp(feet, axis=0).max() < 1e-9
    legs = np.linalg.norm(feet - motion.positions_world[:, p.skeleton.index("LeftThigh")], axis=-1)
    assert legs.max() < 0.992 * p.leg


@given(needed=st.lists(st.floats(0.0, 0.5), min_size=1, max_size=40), n_frames=st.integers(1, 8))
def test_easing_is_never_below_what_is_needed(needed: list[float], n_frames: int) -> None:
    eased = _eased(np.array(needed), n_frames)

    assert len(eased) == len(needed)
    assert np.all(eased >= np.array(needed) - 1e-12)
    assert eased.max() <= max(needed) + 1e-12
