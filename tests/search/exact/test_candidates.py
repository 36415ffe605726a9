"""Candidates: whatever is known of them, and however badly, the same windows are taken in the end."""

import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import Segment
from motionary.search import scan
from motionary.search.exact import Comparison, Index
from motionary.search.exact.bounding import Weighting
from motionary.search.exact.candidates import BOUNDED, MEASURED, Candidates
from motionary.search.exact.places import Places
from motionary.search.exact.plan import SearchPlan
from search.exact.small_features import walks
from search.tiny_libraries import query_of

CANDIDATES = sys.modules["motionary.search.exact.candidates"]


def asked_of(features, **options):
    comparison = Comparison.of(query_of(features, Segment(2, 30, 60), **options))
    variants = list(comparison.variants())
    places = Places.of(features, None, min(variant.n_frames for variant in variants))
    return SearchPlan(Index(features), comparison, variants, [Weighting.of(one.weights) for one in variants], places)


def all_windows(plan, bound):
    """Every window of every variant, with a bound that `bound(n)` makes up."""
    found = []
    for number, variant in enumerate(plan.variants):
        rows = np.arange(plan.index.n_rows - variant.n_frames + 1)
        found.append((number, rows, bound(len(rows))))
    return Candidates.of(plan, found, tie=0.0)


@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.sampled_from([1, 5, 40, None]),
    onsets=st.sampled_from([0.0, 0.8, 3.0]),
    distance=st.sampled_from(["dtw", "euclid"]),
)
def test_useless_bounds_lead_to_the_same_matches(seed, k, onsets, distance):
    features = walks(seed % 7, [70, 100, 35], names=("root",))
    options = {"descriptions": ("root",), "distance": distance, "k": k, "onsets": onsets, "mirrored": "both"}
    plan = asked_of(features, within=30.0 if k is None else None, **options)
    rng = np.random.default_rng(seed)

    windows = all_windows(plan, lambda n: rng.choice([0.0, -1.0, -np.inf, 1e-9], size=n))
    taken = windows.settle(plan)

    wanted = scan(features, plan.query).matches
    found = [(features.clip_ids[windows.clips[one]], windows.starts[one], windows.keys[one]) for one in taken]
    assert found == [(match.segment.clip_id, match.segment.start, match.distance) for match in wanted]
    assert (windows.levels[taken] == MEASURED).all()


def test_few_rounds_will_do_however_little_bounds_tell(monkeypatch):
    features = walks(3, [900, 600], names=("root",))
    plan = asked_of(features, descriptions=("root",), k=2)
    n_rounds = 0
    measure = Candidates.measure

    def counted(self, *given):
        nonlocal n_rounds
        n_rounds += 1
        measure(self, *given)

    monkeypatch.setattr(Candidates, "measure", counted)
    monkeypatch.setattr(Candidates, "bound", lambda self, _, windows, **__: self.levels.__setitem__(windows, BOUNDED))

    windows = all_windows(plan, np.zeros)
    windows.settle(plan)

    assert windows.n_known(MEASURED) > 1000  # nothing told them apart
    assert n_rounds < 10


def test_windows_beyond_a_limit_that_was_too_low_are_bounded_again_not_measured(monkeypatch):
    """As where a better window between two puts both out, and the farthest match is farther than it seemed."""
    features = walks(3, [900, 600], names=("root",))
    plan = asked_of(features, descriptions=("root",), k=3)
    wanted = scan(features, plan.query).matches
    farthest, n_asked = Candidates._farthest, 0

    def too_near(self, plan):
        nonlocal n_asked
        n_asked += 1
        return farthest(self, plan) * (0.5 if n_asked == 1 else 1.0)

    monkeypatch.setattr(Candidates, "_farthest", too_near)

    windows = all_windows(plan, np.zeros)
    taken = windows.settle(plan)

    assert n_asked > 1
    assert [windows.keys[one] for one in taken] == [match.distance for match in wanted]
    assert windows.n_known(MEASURED) < 20


def test_the_nearest_are_enough_to_take_some(monkeypatch):
    features = walks(4, [400, 300], names=("root",))
    plan = asked_of(features, descriptions=("root",))
    rng = np.random.default_rng(0)
    windows = all_windows(plan, lambda n: rng.random(n).round(1))
    every = windows.taken(plan, most=None)

    for n_first in (0, 1, 4):
        monkeypatch.setattr(CANDIDATES, "N_FIRST", n_first)
        for most in (1, 3, len(every), len(every) + 5):
            assert windows.taken(plan, most=most).tolist() == every[:most].tolist()
