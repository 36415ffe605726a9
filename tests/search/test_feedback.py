from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.motion import Segment
from motionary.search import Query, scan
from motionary.search.examples import Place
from motionary.search.explain import explained
from motionary.search.feedback import Moved, learned, learned_weights, profiled, search_profiled
from motionary.search.profiles import Judged, Profile
from motionary.search.several_queries import place_of
from search.tiny_libraries import library, query_of

ROOT = descriptions()["root"]
POSITIONS = descriptions()["positions"]


def rows_of(value: float, n_frames: int = 4) -> np.ndarray:
    return np.full((n_frames, ROOT.n_dimensions), value, dtype=np.float32)


def judged(value: float, n_frames: int = 4) -> Judged:
    return Judged(f"{value}", {"root": rows_of(value, n_frames)})


def wandering(rng: np.random.Generator, n_frames: int) -> np.ndarray:
    return np.cumsum(rng.normal(size=(n_frames, ROOT.n_dimensions)), axis=0).astype(np.float32)


def test_examples_are_moved_as_far_again_from_the_mean_of_the_rejected():
    moved = Moved(judged(1.0), (judged(2.0), judged(4.0, 7)))

    assert moved.rows(4)["root"].tolist() == rows_of(-1.0).tolist()
    assert moved.rows(6)["root"].tolist() == rows_of(-1.0, 6).tolist()
    assert (moved.name, moved.n_frames, moved.place) == ("1.0", 4, None)


def learned_one(wanted, refused):
    wanted, refused = (np.array(given, dtype=float).reshape(len(given), 1, 2) for given in (wanted, refused))
    return learned_weights(wanted, refused, spread=np.ones(2), counts=np.ones(2))


def test_a_dimension_counts_more_the_less_accepted_and_the_more_rejected_ones_differ_in_it():
    alike = learned_one([[0, 0], [0.1, 1]], [])
    apart = learned_one([[0, 0]], [[2, 0.1]])
    both = learned_one([[0, 0], [0.1, 1]], [[2, 0.1]])

    assert alike[0] > 1 > alike[1]
    assert apart[0] > 1 > apart[1]
    assert both[0] > max(alike[0], apart[0])


def test_weights_of_one_judgement_by_hand():
    # expected: spread (1, 1) at the size of what was judged, (0 + 4) / 2; near leans on it three to one
    near = np.array([(3 * 2 + 0) / 4, (3 * 2 + 4) / 4]) + 1e-4
    ratio = np.sqrt((2 + 1e-4) / near)

    assert learned_one([[0, 0], [0, 2]], []) == pytest.approx(ratio / ratio.mean())


@given(seed=st.integers(0, 2**32 - 1), n_accepted=st.integers(0, 4), n_rejected=st.integers(0, 4))
def test_weights_keep_their_sum_and_never_leave_a_dimension_out(seed, n_accepted, n_rejected):
    rng = np.random.default_rng(seed)
    if n_accepted + n_rejected == 0:
        n_accepted = 1
    counts = rng.integers(0, 3, size=5) * 1.0
    counts[0] = 1.0

    weights = learned_weights(
        rng.normal(size=(1 + n_accepted, 3, 5)),
        rng.normal(size=(n_rejected, 3, 5)),
        spread=rng.random(5) + 0.1,
        counts=counts,
    )

    assert (weights >= 0.25).all()
    assert (weights <= 4.0).all()
    assert weights @ counts == pytest.approx(counts.sum(), rel=0.5)  # but for what is clipped
    assert (weights[counts == 0] == 1.0).all()


def test_judgements_that_say_nothing_change_nothing():
    still = np.zeros((2, 3, 4))

    assert learned_weights(still, still, spread=np.ones(4), counts=np.ones(4)).tolist() == [1.0] * 4


def test_a_profile_makes_several_queries_of_one():
    features = library([{"root": rows_of(0.0, 9)}])
    query = query_of(features, Segment(1, 0, 4), descriptions=("root",), weights={"root": 2.0, "root height": 3.0})
    profile = Profile((judged(1.0), judged(2.0, 8)), (judged(3.0),), {"root height": 0.5, "LeftHand up": 2.0})

    queries = profiled(query, profile)

    assert [each.example.rows(4)["root"][0, 0] for each in queries] == [-3.0, -1.0, 1.0]
    assert [each.example.n_frames for each in queries] == [4, 4, 4]
    assert all(each.weights == {"root": 2.0, "root height": 1.5} for each in queries)
    assert queries[0].example.place == Place(1, 0)
    assert [each.example.place for each in queries[1:]] == [None, None]


def test_lcss_takes_examples_as_they_are_and_tolerances_that_are_learned():
    features = library([{"root": rows_of(0.0, 9)}])
    query = query_of(features, Segment(1, 0, 4), distance="lcss", descriptions=("root",), tolerances={"root": 2.0})
    profile = Profile((judged(1.0),), (judged(3.0),), {"root height": 4.0})

    queries = profiled(query, profile)

    assert [each.example.rows(4)["root"][0, 0] for each in queries] == [0.0, 1.0]
    assert queries[0].tolerances == {"root": 2.0, "root height": 0.5}


def test_examples_without_what_is_compared_are_left_aside():
    features = library([{"root": rows_of(0.0, 9), "positions": np.zeros((9, POSITIONS.n_dimensions))}])
    query = query_of(features, Segment(1, 0, 4), descriptions=("positions",))

    (only,) = profiled(query, Profile((judged(1.0),), (judged(3.0),), {"root height": 4.0}))

    assert only.example is query.example
    assert only.weights == {}


@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.sampled_from([1, 2, 5, 50]),
    distance=st.sampled_from(["euclid", "dtw", "lcss"]),
    mirrored=st.sampled_from(["no", "both"]),
    with_itself=st.booleans(),
    n_without=st.integers(0, 3),
)
def test_the_lists_of_all_examples_become_one(seed, k, distance, mirrored, with_itself, n_without):
    """Asking each for a few more than k gives what merging their whole lists gives."""
    rng = np.random.default_rng(seed)
    features = library([{"root": wandering(rng, n)} for n in (14, 20, 9)])
    options = {
        "distance": distance,
        "descriptions": ("root",),
        "tolerance": 2.0,
        "mirrored": mirrored,
        "with_itself": with_itself,
        "onsets": 0.8,
    }
    without = (Place(2, 3), Place(3, 0), Place(2, 14))[:n_without]
    query = query_of(features, Segment(1, 2, 7), k=k, without=without, **options)
    profile = Profile(
        tuple(Judged(f"{i}", {"root": wandering(rng, 5)}) for i in range(2)),
        (Judged("no", {"root": wandering(rng, 5)}),),
        {"root height": 2.0},
    )

    result = search_profiled(features, query, profile, search=lambda each: scan(features, each))

    wanted, taken = [], []
    whole = [match for each in profiled(replace(query, k=1000), profile) for match in scan(features, each).matches]
    assert all(place_of(features, match) not in query.left_out for match in whole)
    lcss = distance == "lcss"
    for match in sorted(whole, key=lambda m: (m.distance * lcss, m.mean, m.segment.clip_id, m.segment.start)):
        place = place_of(features, match)
        if len(wanted) < k and all(place.clip_id != o.clip_id or abs(place.start - o.start) >= 4 for o in taken):
            wanted.append(match)
            taken.append(place)
    assert [(m.segment, m.distance, m.mirrored) for m in result.matches] == [
        (m.segment, m.distance, m.mirrored) for m in wanted
    ]
    assert len(result.asked) == 3
    assert result.query is query
    for found in explained(features, result.asked, result.matches):
        assert found.added.sum() == pytest.approx(found.match.distance, rel=1e-12, abs=1e-12)


def waving(rng: np.random.Generator, *, hand: float, leg: float, n_frames: int = 20) -> dict[str, np.ndarray]:
    """A body whose hand and leg swing as far as is said, with a little noise."""
    rows = 0.02 * rng.normal(size=(n_frames, POSITIONS.n_dimensions))
    swing = np.sin(np.linspace(0.0, np.pi, n_frames))[:, None]
    rows[:, POSITIONS.columns(["LeftHand"])] += hand * swing
    rows[:, POSITIONS.columns(["RightFoot"])] += leg * swing
    return {"positions": rows.astype(np.float32)}


def test_judgements_bring_forward_what_is_meant():
    """Wanted is what the hand does, whatever the leg does; the query alone cannot tell."""
    rng = np.random.default_rng(3)
    kinds = [(1.0, 0.5)] + [(1.0, leg) for leg in np.linspace(-0.7, 1.6, 12)] + [(0.55, 0.5)] * 12
    features = library([waving(rng, hand=hand, leg=leg) for hand, leg in kinds])
    right = {clip + 1 for clip, (hand, _) in enumerate(kinds) if hand == 1.0}
    query = query_of(features, Segment(1, 0, 20), k=20, onsets=1.0, descriptions=("positions",))
    first = scan(features, query).matches
    judged_ones = first[:8]
    accepted = [match for match in judged_ones if match.segment.clip_id in right]
    rejected = [match for match in judged_ones if match.segment.clip_id not in right]
    assert accepted
    assert rejected

    profile = learned(features, query, accepted, rejected)
    again = search_profiled(
        features,
        replace(query, without=tuple(place_of(features, match) for match in judged_ones)),
        profile,
        search=lambda each: scan(features, each),
    ).matches

    def n_right(matches):
        return sum(match.segment.clip_id in right for match in matches)

    n_left = len(right) - 1 - len(accepted)
    assert n_right(first[8 : 8 + n_left]) < n_right(again[:n_left]) == n_left
    weight = profile.by_part()
    assert weight["LeftHand"] > weight["RightFoot"]
    assert profile.learned_from == query.example.name


def test_judgements_add_up():
    rng = np.random.default_rng(0)
    features = library([{"root": wandering(rng, 30)}, {"root": wandering(rng, 30)}])
    query = query_of(features, Segment(1, 0, 6), descriptions=("root",), k=4)
    one, two, three, four = scan(features, query).matches

    at_once = learned(features, query, [one, two], [three, four])
    after_another = learned(features, query, [two], [four], before=learned(features, query, [one], [three]))

    assert after_another.weights == pytest.approx(at_once.weights)
    assert [len(each) for each in (after_another.accepted, after_another.rejected)] == [2, 2]
    with pytest.raises(UsageError, match="nothing to learn"):
        learned(features, query, [], [])


def test_what_an_earlier_profile_does_not_describe_is_left_aside():
    rng = np.random.default_rng(0)
    features = library([{"root": wandering(rng, 30), "positions": rng.normal(size=(30, POSITIONS.n_dimensions))}])
    query = query_of(features, Segment(1, 0, 6), descriptions=("positions",), k=2)
    before = Profile((judged(1.0, 6),), (judged(2.0, 6),), {"root height": 2.0})
    (match, _) = scan(features, query).matches

    profile = learned(features, query, [match], [], before=before)

    alone = learned(features, query, [match], [])
    assert profile.weights == {**alone.weights, "root height": 2.0}
    assert len(profile.accepted) == 2
    with pytest.raises(UsageError, match="no rated match has the features positions"):
        learned(features, query, [], [], before=before)


def test_a_profile_knows_the_clips_that_it_was_learned_from():
    rng = np.random.default_rng(0)
    features = library([{"root": wandering(rng, 30)} for _ in range(3)])
    query = query_of(features, Segment(2, 0, 6), descriptions=("root",), k=20, onsets=1.0)
    by_clip = {match.segment.clip_id: match for match in scan(features, query).matches}

    first = learned(features, query, [by_clip[3]], [])
    second = learned(features, query, [], [by_clip[1]], before=first)

    assert (first.clip_ids, second.clip_ids) == ((2, 3), (1, 2, 3))
    assert learned(features, query, [by_clip[3]], [], before=replace(first, clip_ids=None)).clip_ids is None
    mixed = replace(query, example=Moved(query.example, ()))  # an example that does not tell
    assert learned(features, mixed, [by_clip[3]], []).clip_ids is None


def test_an_empty_profile_asks_what_was_asked():
    features = library([{"root": wandering(np.random.default_rng(1), 30)}])
    query = query_of(features, Segment(1, 0, 6), descriptions=("root",), k=3)

    result = search_profiled(features, query, Profile(), search=lambda each: scan(features, each))

    assert isinstance(result.asked[0], Query)
    assert [match.segment for match in result.matches] == [match.segment for match in scan(features, query).matches]
