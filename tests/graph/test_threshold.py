import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.graph.threshold import Threshold, knee, knee_reference


@settings(max_examples=40)
@given(st.integers(0, 1000), st.integers(6, 40))
def test_the_knee_is_the_break_of_the_best_two_lines(seed, n):
    costs = np.sort(np.random.default_rng(seed).uniform(0.0, 1.0, n) ** 2)

    found, expected = knee(costs), knee_reference(costs)

    assert found == expected


def test_a_broken_line_breaks_where_it_was_broken():
    costs = np.concatenate([np.linspace(0.0, 1.0, 30), np.linspace(1.2, 9.0, 50)])

    assert knee(costs) == 30
    assert knee(costs[:4]) == 4  # too few to break


@pytest.mark.parametrize(
    ("text", "limit"), [("2cm", 0.0004), ("rank=2", 0.02), ("1/s", 0.03), ("rank=99", 0.05), ("rank=inf", 0.05)]
)
def test_thresholds_by_distance_rank_and_time(text, limit):
    costs = np.array([0.05, 0.01, 0.03, 0.02, 0.04])
    threshold = Threshold.parsed(text)

    assert threshold.limit(costs, duration_secs=3.0) == pytest.approx(limit)
    assert Threshold.parsed(threshold.text) == threshold
    assert threshold.limit(costs[:0], duration_secs=3.0) == (limit if text == "2cm" else -1.0)


@pytest.mark.parametrize("text", ["", "6", "six cm", "rank=x", "0cm", "-1/s"])
def test_what_is_no_threshold_is_refused(text):
    with pytest.raises(UsageError):
        Threshold.parsed(text)


@pytest.mark.parametrize("n_costs", [1_161_190, 1_161_191])  # where sums of squares of ranks left nothing
def test_the_knee_of_a_million_costs_is_found(n_costs):
    ranks = np.arange(n_costs, dtype=np.float64)
    costs = np.where(ranks < 300_000, 3.0 * ranks, 900_000 + 0.5 * (ranks - 300_000))

    assert abs(knee(costs) - 300_000) <= 30
