from dataclasses import replace

import numpy as np
import pytest

from blend.made_sources import leg_raise, reach, walkers
from motionary.blend import BlendSource, RegistrationOptions, register, without
from motionary.blend.placing import TURN_WITHIN, likely_turns
from motionary.errors import UsageError


def peaks_off(registration, peaks):
    """Frames between where the reference's peak is taken to be in each source, and where it is."""
    names = list(registration.names)
    here = peaks[names[registration.reference]]
    return {name: float(registration.warp(i)(np.float64(here))) - peaks[name] for i, name in enumerate(names)}


def test_peaks_of_reaches_meet_through_those_in_between():
    peaks = dict(zip(range(-60, 61, 20), (22, 30, 26, 34, 24, 31, 28), strict=True))
    sources = [reach(angle, n_frames=60 + 3 * (k % 3), peak=peak) for k, (angle, peak) in enumerate(peaks.items())]
    by_name = {source.name: peak for source, peak in zip(sources, peaks.values(), strict=True)}

    registration = register(sources)

    off = peaks_off(registration, by_name)
    assert len(off) == 7
    assert np.mean([abs(frames) for frames in off.values()]) <= 1.2  # at 30 Hz
    assert (registration.slopes > 0).all()
    assert registration.slopes.max() <= 3.0
    assert registration.curves[:, 0].tolist() == [0.0] * 7
    assert [round(x) for x in registration.curves[:, -1]] == [s.motion.n_frames - 1 for s in registration.sources]


def test_placements_bring_the_sources_together():
    registration = register(walkers())

    for i, source in enumerate(registration.sources):
        hips = source.motion.root_positions[np.round(registration.curves[i]).astype(int)][:, [0, 2]]
        turned = np.stack(
            [
                np.cos(registration.turns[i]) * hips[:, 0] + np.sin(registration.turns[i]) * hips[:, 1],
                np.cos(registration.turns[i]) * hips[:, 1] - np.sin(registration.turns[i]) * hips[:, 0],
            ],
            axis=1,
        )
        there = registration.sources[registration.reference].motion.root_positions[:, [0, 2]]
        assert np.abs(turned + registration.moves[i] - there).max() < 0.12


def test_poses_that_fit_the_wrong_way_round_make_no_turn():
    faced = np.linspace(0.0, 0.4, 60)
    fitted = np.unwrap(faced + np.linspace(0.0, 2.0 * np.pi, 60))  # as if the one had turned round once

    turns = likely_turns(fitted, faced)

    assert np.abs(turns - faced).max() <= TURN_WITHIN + 1e-9
    assert turns[-1] == pytest.approx(faced[-1])
    assert np.abs(np.diff(turns)).max() < 0.2
    near = faced + 0.3 * np.sin(np.arange(60.0)) + 2.0 * np.pi
    assert likely_turns(near, faced) == pytest.approx(near - 2.0 * np.pi)


def test_plants_of_walks_correspond():
    registration = register(walkers())

    assert {(plant.foot, plant.part) for plant in registration.plants} == {
        (foot, part) for foot in ("left", "right") for part in ("heel", "toe")
    }
    assert all(plant.start < plant.stop for plant in registration.plants)
    assert sum(len(own) for own in registration.lone_plants) <= 3


def test_a_wrong_foot_is_left_out_and_named():
    sources = walkers((-0.5, 0.0, 0.5, 0.8))
    wrong = sources[1].mirrored()
    wrong = BlendSource("wrong", wrong.motion, wrong.body, wrong.plants)

    registration = register([*sources, wrong])

    assert [(s.name, s.why) for s in registration.spoilers] == [
        ("wrong", "it starts with the other foot; its mirror image may fit")
    ]
    assert "wrong" not in registration.names
    with pytest.raises(
        UsageError, match=r"do not fit the others: wrong \(it starts with the other foot.*\. Leave them out"
    ):
        register([*sources, wrong], options=RegistrationOptions(spoilers="refuse"))


def test_two_families_are_refused_by_name():
    with pytest.raises(UsageError, match=r"2 families that cannot be blended .*walk -0\.5.*; reach 0/0, reach 20/0"):
        register([*walkers((-0.5, 0.0, 0.5, 0.8)), *(reach(a, n_frames=40) for a in (0.0, 20.0, 40.0))])


def test_a_refusal_of_families_names_those_that_are_alone():
    reaches = [reach(a, n_frames=40) for a in (0.0, 20.0)]
    with pytest.raises(UsageError, match=r"families .*Choose one of them\. Unlike all others: kick$"):
        register([*walkers((-0.5, 0.0, 0.5)), *reaches, leg_raise("kick", n_frames=40, peak=20)])


def test_sources_of_other_rates_and_bodies_come_to_the_first():
    first, other = reach(0.0), reach(30.0, n_frames=120, peak=56, rate_hz=60.0)

    registration = register([first, other])

    assert registration.frame_time == first.motion.frame_time
    assert registration.sources[1].motion.n_frames == 60
    assert abs(peaks_off(registration, {first.name: 28, other.name: 28})[other.name]) <= 1.5


def test_what_cannot_be_registered_is_refused():
    with pytest.raises(UsageError, match="at least two motions, not 1"):
        register([reach(0.0)])
    with pytest.raises(UsageError, match="slope limit of 1"):
        RegistrationOptions(slope_limit=1.0)
    with pytest.raises(UsageError, match="paths are"):
        RegistrationOptions(paths="straight")
    short, long = (replace(reach(0.0), name=f"{n} frames", motion=reach(0.0).motion.slice(0, n)) for n in (4, 12))
    short, long = (
        replace(s, plants=tuple(replace(p, stop=s.motion.n_frames) for p in s.plants)) for s in (short, long)
    )
    with pytest.raises(UsageError, match=r"fewer than two motions are left .* frames \(.*cannot go with"):
        register([short, long])
    far = reach(5.0, n_frames=200, peak=90, name="slow")
    with pytest.raises(UsageError, match=r"fewer than two motions are left .*slow.*Choose motions that are more alike"):
        register([reach(0.0, n_frames=40, peak=18), far])


def test_motions_that_do_not_stand_where_the_others_do_are_left_out(monkeypatch):
    """Their own plants all have partners; but they are off the ground for half of the time."""
    monkeypatch.setattr("motionary.blend.registration.SAME_STEPS", 0.0)  # made reaches are nearer than captures are
    sources = [reach(angle, n_frames=60 + k) for k, angle in enumerate((0.0, 60.0, 120.0, 180.0))]
    odd = sources[3]
    hops = replace(odd, plants=tuple(replace(plant, stop=25) for plant in odd.plants))

    registration = register([*sources[:3], hops])

    assert [(s.name, s.why[:31]) for s in registration.spoilers] == [(hops.name, "its feet are off the ground for")]


def test_motions_without_common_plants_are_refused():
    first, second = reach(0.0), reach(10.0)
    apart = replace(first, plants=first.plants[:2]), replace(second, plants=second.plants[2:])

    with pytest.raises(UsageError, match="no foot plants in common"):
        register(apart)
    assert register(apart, options=RegistrationOptions(spoilers="keep")).plants == ()


def test_sources_can_be_taken_out_again():
    registration = register([reach(angle) for angle in (0.0, 20.0, 40.0)])

    fewer = without(registration, [1])

    assert fewer.names == (registration.names[0], registration.names[2])
    assert fewer.n_clock == registration.n_clock
