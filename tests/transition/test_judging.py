import pytest

from motionary.errors import UsageError
from motionary.transition.judging import calibrated, verdict


def test_the_threshold_lies_between_what_is_natural_and_what_is_not():
    verdicts = [verdict("a", (0.1 + 0.01 * n, 0.5 + 0.01 * n), 1.0) for n in range(6)]

    found = calibrated(verdicts, secs=1.0)

    assert found is not None
    assert 0.15 < found.threshold < 0.5
    assert found.agreement == 1.0
    assert found.n_judged == 12


def test_verdicts_that_contradict_the_score_agree_less():
    verdicts = [verdict("a", (0.1, 0.5), 1.0)] * 8 + [verdict("b", (0.1, 0.5), 1.0)] * 2

    found = calibrated(verdicts, secs=1.0)

    assert found is not None
    assert found.agreement == pytest.approx(0.8)


def test_too_few_or_other_verdicts_tell_nothing():
    assert calibrated([], secs=1.0) is None
    assert calibrated([verdict("a", (0.1, 0.5), 2.0)] * 20, secs=1.0) is None
    assert calibrated([verdict("=", (0.1, 0.5), 1.0)] * 20, secs=1.0) is None
    assert calibrated([{"about": "something else"}] * 20, secs=1.0) is None


def test_other_answers_are_refused():
    with pytest.raises(UsageError, match="'x' is no answer; a or b is the natural one"):
        verdict("x", (0.1, 0.2), 1.0)
