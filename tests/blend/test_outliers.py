from dataclasses import replace

from blend.made_sources import leg_raise, reach, walkers
from motionary.blend import RegistrationOptions, register


def test_motions_that_are_aligned_though_they_are_unlike_are_doubted():
    walk, kick = walkers()[0], leg_raise("kick", n_frames=40, peak=20)

    registration = register([walk, kick], options=RegistrationOptions(spoilers="keep"))

    (doubt,) = registration.doubts
    assert "may be another action" in doubt
    assert "other parts of the body move" in doubt
    assert registration.as_json()["doubts"] == [doubt]


def test_motions_of_one_action_are_not_doubted():
    assert register(walkers()).doubts == ()
    assert register([reach(-20.0), replace(reach(20.0, n_frames=75, peak=40), name="other")]).doubts == ()
