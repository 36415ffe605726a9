"""Exact search in steps, against its definition."""

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.features import computed_descriptions
from motionary.library import build_features
from motionary.motion import mirror, recording_of
from motionary.rig import mirror_partners
from motionary.search import Profile, explain_matches, search_bank
from motionary.search.examples import ExampleMaker, MirrorImage
from search.tiny_libraries import PLAIN

QUERY = "a:5-25"
LEAST = 16  # 80 % of 20 frames
NEIGHBOURS = 20


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with Bank.open(tmp_path_factory.mktemp("steps") / "a.bank", create=True) as bank:
        motions = [wild_body(seed, n_frames=90) for seed in range(1, 6)]
        for name, motion in zip("abcde", motions, strict=True):
            bank.add(name, recording_of(motion))
        other = mirror(motions[1], mirror_partners(motions[1].skeleton))
        bank.add("b_mirrored", recording_of(other))
        yield bank


def by_definition(bank, steps, k, **options):
    """Of all paths that lead on from what was taken, the shortest, again and again; every list from the plain scan.

    What a mirrored match leads to is what its motion leads to, seen in a mirror.
    """
    own = bank.segment(QUERY)
    options = PLAIN | options | {"by": "scan"}
    paths = [(one.mean**3, one, 1) for one in search_bank(bank, QUERY, k=400, **options)]
    taken = []
    while len(taken) < k:
        free = [path for path in paths if all(far(path[1].segment, other[1].segment) for other in taken)]
        if not free:
            break
        length, match, n_steps = min(free, key=lambda path: (path[0], path[1].segment.clip_id, path[1].segment.start))
        taken.append((length, match, n_steps))
        if n_steps < steps:
            shown = bank.motion(match.segment)
            if match.mirrored:
                shown = mirror(shown, mirror_partners(shown.skeleton))
            further = search_bank(bank, shown, k=NEIGHBOURS, without=[own, match.segment], **options)
            paths += [(length + one.mean**3, one, n_steps + 1) for one in further]
    return [(match.segment, match.mirrored, n_steps, length ** (1 / 3)) for length, match, n_steps in taken]


def far(segment, other):
    return segment.clip_id != other.clip_id or abs(segment.start - other.start) >= LEAST


def told(matches):
    return [(one.segment, one.mirrored, one.tier, one.mean, one.distance) for one in matches]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mirrored": "both"},
        {"mirrored": "both", "joints": ("LeftArm", "LeftForeArm", "LeftHand"), "weights": {"LeftHand": 3.0}},
        {"mirrored": "only", "distance": "euclid", "descriptions": ("angles",)},
        {"over_time": (1.0, 3.0), "mirrored": "both", "distance": "euclid"},
    ],
)
@pytest.mark.parametrize("steps", [2, pytest.param(4, marks=pytest.mark.thorough)])
def test_ways_are_those_of_the_definition(bank, steps, options):
    options = PLAIN | options
    found = search_bank(bank, QUERY, k=12, steps=steps, **options)
    expected = by_definition(bank, steps, 12, **options)

    assert [(one.segment, one.mirrored, one.tier) for one in found] == [path[:3] for path in expected]
    assert [one.mean for one in found] == pytest.approx([path[3] for path in expected], rel=1e-4)
    assert told(found) == told(search_bank(bank, QUERY, k=12, steps=steps, by="scan", **options))


def test_some_matches_are_reached_by_ways(bank):
    found = search_bank(bank, QUERY, k=12, steps=4, **PLAIN | {"mirrored": "both"})

    assert max(one.tier for one in found) > 1
    assert np.all(np.diff([one.mean for one in found]) >= 0)
    for one in found:
        pairs = one.alignment.pairs
        assert pairs[0].tolist() == [0, 0]
        assert pairs[-1].tolist() == [one.n_query - 1, one.n_frames - 1]
        assert (np.diff(pairs, axis=0) <= 1).all()


def test_matches_of_later_steps_are_aligned_with_the_example_that_led_to_them(bank):
    examples = {"a:5-25": 20, "b:30-65": 35}
    found = search_bank(bank, "a:5-25", also="b:30-65", k=40, steps=3, **PLAIN)

    assert {one.nearest_to for one in found if one.tier > 1} == set(examples)
    for one in found:
        assert one.n_query == examples[one.nearest_to]
        assert one.alignment.pairs[-1].tolist() == [one.n_query - 1, one.n_frames - 1]


def test_fewer_matches_are_the_first_of_more(bank):
    more, fewer = (search_bank(bank, QUERY, k=k, steps=3, **PLAIN) for k in (12, 5))
    near = search_bank(bank, QUERY, k=None, within=more[7].mean, steps=3, **PLAIN)

    assert told(fewer) == told(more[:5])
    assert told(near)[:8] == told(more[:8])
    assert all(one.mean <= more[7].mean for one in near)


def test_one_step_is_a_plain_search(bank):
    assert told(search_bank(bank, QUERY, k=8, steps=1, **PLAIN)) == told(search_bank(bank, QUERY, k=8, **PLAIN))


def test_distance_and_mean_say_the_same(bank):
    found = search_bank(bank, QUERY, k=12, steps=4, **PLAIN)
    share = {round(one.distance / one.mean**2, 9) for one in found}

    assert len(share) == 1


def test_clips_that_are_left_out_lead_nowhere(bank):
    found = search_bank(bank, QUERY, k=12, steps=3, names=["a", "c"], **PLAIN)

    assert {one.clip for one in found} <= {"a", "c"}


def test_mirror_image_shows_what_the_mirrored_motion_shows(bank):
    image = MirrorImage(ExampleMaker(bank, build_features(bank)).example("b:10-40"))
    copy = ExampleMaker(bank, build_features(bank)).example("b_mirrored:10-40")

    for name in computed_descriptions():
        np.testing.assert_allclose(image.rows(30)[name], copy.rows(30)[name], atol=1e-4)
    np.testing.assert_allclose(
        np.ptp(image.poses(30).positions_world - copy.poses(30).positions_world, axis=(0, 1)), 0.0, atol=1e-3
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"distance": "lcss"}, "steps cannot be combined with lcss"),
        ({"scale": 0.1}, "steps cannot be combined with scale"),
        ({"unlike": "b:0-30"}, "steps cannot be combined with negative weights or counterexamples"),
        ({"weights": {"Head": -1.0}}, "steps cannot be combined with negative weights"),
        ({"profile": Profile()}, "steps cannot be combined with a profile"),
    ],
)
def test_what_steps_cannot_be_combined_with(bank, options, words):
    with pytest.raises(UsageError, match=words):
        search_bank(bank, QUERY, steps=2, **PLAIN | options)


def test_matches_of_later_steps_are_not_explained(bank):
    found = search_bank(bank, QUERY, k=12, steps=4, **PLAIN)

    with pytest.raises(UsageError, match=r"was found in \d steps; only matches of the first step can be explained"):
        explain_matches(bank, found)
