import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.motion import Segment
from motionary.search.spreading import Candidates, Curve, Known, LabelledSegment, Rules, spread
from search.tiny_libraries import library

PRIOR = Curve(-3.5, 4.0)
N_CLIPS, N_FRAMES = 3, 12


def features():
    return library([{"positions": np.zeros((N_FRAMES, 3))} for _ in range(N_CLIPS)])


def known(*examples, others=(), refused=None):
    placed = [
        tuple(LabelledSegment(Segment(clip, start, stop), label) for clip, start, stop, label in some)
        for some in (examples, others)
    ]
    return Known(*placed, refused or {})


def candidates(*rows):
    """Of clip ids, frames, examples and distances."""
    table = np.array(rows, dtype=float).reshape(-1, 5)
    clips, starts, stops, numbers = table[:, :4].T.astype(int)
    return Candidates(clips - 1, starts, stops, numbers, table[:, 4])


@st.composite
def spreadings(draw):
    spans = st.tuples(st.integers(1, N_CLIPS), st.integers(0, N_FRAMES - 1), st.integers(1, N_FRAMES))
    spans = spans.map(lambda span: (span[0], span[1], min(span[1] + span[2], N_FRAMES)))
    labels = st.sampled_from(["a", "b", "c"])
    examples = [(*span, draw(labels)) for span in draw(st.lists(spans, min_size=1, max_size=4, unique=True))]
    names = sorted({example[3] for example in examples})
    others = [(*span, draw(st.sampled_from(names))) for span in draw(st.lists(spans, max_size=2))]
    refused = {name: [Segment(*span) for span in draw(st.lists(spans, max_size=1))] for name in names}
    rows = [
        (*span, draw(st.integers(0, len(examples) - 1)), draw(st.floats(0.01, 0.8)))
        for span in draw(st.lists(spans, max_size=6))
    ]
    rows = [row for row in rows if row[0] != examples[row[3]][0] or row[2] <= examples[row[3]][1]]  # never itself
    return known(*examples, others=others, refused=refused), candidates(*rows)


@given(spreadings(), st.floats(0.05, 1.0), st.booleans())
def test_spreading_agrees_with_the_definition_in_every_frame(case, threshold, both):
    told, found = case
    rules = Rules(threshold=threshold, margin=0, both=both)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("motionary.search.spreading.library.LEAST_SHARE", 0.0)
        result = spread(features(), told, found, prior=PRIOR, rules=rules)

    shown = {}
    for clip_id, claim in result.claims:
        for frame in range(claim.start, claim.stop):
            shown.setdefault((clip_id, frame), set()).add(told.labels[claim.label])
    assert shown == plain_labels(told, found, result.curve, threshold, both=both)


def test_what_is_left_of_a_match_beside_better_ones_is_no_claim():
    told = known((1, 0, 9, "a"), (3, 0, 2, "b"))
    found = candidates((2, 0, 9, 0, 0.2), (2, 2, 8, 1, 0.1))  # of a, two frames and one are left

    claims = spread(features(), told, found, prior=PRIOR, rules=Rules(threshold=0.1)).claims

    assert [(claim.start, claim.stop, told.labels[claim.label]) for _, claim in claims] == [(2, 8, "b")]


def plain_labels(told, found, curve, threshold, *, both):
    """The labels of every frame of every clip (by id), from the definition."""
    labels = {}
    for clip_id in range(1, N_CLIPS + 1):
        for frame in range(N_FRAMES):
            carried = {
                one.label
                for one in (*told.examples, *told.others)
                if one.segment.clip_id == clip_id and one.segment.start <= frame < one.segment.stop
            }
            odds = {}
            for n in range(len(found.starts)):
                name = told.examples[found.examples[n]].label
                refused = any(
                    one.clip_id == clip_id and one.start <= frame < one.stop for one in told.refused.get(name, ())
                )
                covers = found.clips[n] == clip_id - 1 and found.starts[n] <= frame < found.stops[n]
                if covers and not refused:
                    odds[name] = max(odds.get(name, 0.0), np.exp(curve.level) / found.distances[n] ** curve.slope)
            if both:
                names = {name for name, own in odds.items() if name not in carried and own / (1 + own) >= threshold}
            else:
                best = min(odds, key=lambda name: (-odds[name], name), default=None)
                strong = best is not None and odds[best] / (1 + sum(odds.values())) >= threshold
                names = {best} if strong and not carried else set()
            if names:
                labels[clip_id, frame] = names
    return labels


def test_one_example_of_each_label_leaves_the_curve_as_it_was():
    told = known((1, 0, 4, "a"), (2, 0, 4, "b"))

    found = candidates((2, 0, 4, 0, 0.3), (1, 0, 4, 1, 0.3))
    curve = spread(features(), told, found, prior=PRIOR, rules=Rules()).curve

    assert curve == PRIOR


@pytest.mark.parametrize(("right", "stronger"), [(True, True), (False, False)])
def test_examples_judge_each_other(right, stronger):
    """The second example is found by the first, or by another label's."""
    told = known((1, 0, 4, "a"), (2, 0, 4, "a"), (3, 0, 4, "b"))
    finders = (0, 1) if right else (2, 2)
    found = candidates((2, 0, 4, finders[0], 0.4), (1, 0, 4, finders[1], 0.4))

    curve = spread(features(), told, found, prior=PRIOR, rules=Rules()).curve

    assert (curve.alone(np.array(0.4)) > PRIOR.alone(np.array(0.4))) == stronger


def test_what_was_rejected_stays_away_and_makes_careful():
    told = known((1, 0, 4, "a"), refused={"a": [Segment(2, 0, 6)], "gone": [Segment(3, 0, 1)]})
    found = candidates((2, 0, 6, 0, 0.2), (2, 6, 12, 0, 0.2))

    result = spread(features(), told, found, prior=PRIOR, rules=Rules(threshold=0.5))

    assert [(claim.start, claim.stop) for _, claim in result.claims] == [(6, 12)]
    curve = result.curve
    assert curve.alone(np.array(0.2)) < PRIOR.alone(np.array(0.2))


def test_a_library_full_of_what_is_as_near_as_the_examples_makes_careful():
    """Two examples find each other at 0.4: that means less, the more of the rest is as near."""
    told = known((1, 0, 6, "a"), (2, 0, 6, "a"))
    each_other = [(2, 0, 6, 0, 0.4), (1, 0, 6, 1, 0.4)]
    rest = [(clip, start, 12, example, 0.4) for clip, start, example in ((1, 6, 1), (2, 6, 0), (3, 0, 0))]

    rare, common = (
        spread(features(), told, candidates(*each_other, *more), prior=PRIOR, rules=Rules()).curve
        for more in ([], rest)
    )

    assert common.alone(np.array(0.4)) < rare.alone(np.array(0.4))


def test_only_clips_that_were_searched_are_the_rest():
    told = known((1, 0, 6, "a"), (2, 0, 6, "a"))
    found = candidates((2, 0, 6, 0, 0.4), (1, 0, 6, 1, 0.4), (2, 6, 12, 0, 0.4))

    few, many = (
        spread(features(), told, found, prior=PRIOR, rules=Rules(), searched=clips).curve for clips in ({1, 2}, None)
    )

    assert few.alone(np.array(0.4)) < many.alone(np.array(0.4))


def test_by_default_four_of_five_frames_are_expected_to_be_right():
    told = known((1, 0, 6, "a"))
    found = candidates((2, 0, 4, 0, 0.2), (2, 8, 12, 0, 0.35), (3, 0, 4, 0, 0.4), (3, 8, 12, 0, 0.45))
    strengths = PRIOR.alone(np.array([0.2, 0.35, 0.4]))

    result = spread(features(), told, found, prior=PRIOR, rules=Rules())

    assert strengths[:2].mean() >= 0.8 > strengths.mean()
    assert [claim.strength for _, claim in result.claims] == pytest.approx(strengths[:2])
    assert result.threshold == pytest.approx(strengths[1], abs=0.01)
    assert result.threshold <= strengths[1]
    assert [(clip_id, claim.start) for clip_id, claim in result.left_out] == [(3, 0)]


@pytest.mark.parametrize(("rules", "problem"), [({"threshold": 0.0}, "must be above 0"), ({"margin": 2.0}, "not 2")])
def test_rules_that_cannot_be(rules, problem):
    with pytest.raises(UsageError, match=problem):
        Rules(**rules)
