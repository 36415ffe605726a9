import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.transition.judging import ANSWERS, MEANT, calibrated, verdict


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


def test_the_threshold_agrees_with_as_many_verdicts_as_it_says():
    """Whichever threshold is taken of several that are equally good, even where they lie apart."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        answers = [str(answer) for answer in rng.choice(ANSWERS, 8)]
        scores = np.round(rng.random((8, 2)), 1)
        found = calibrated([verdict(*one, 1.0) for one in zip(answers, scores, strict=True)], secs=1.0)
        if found is not None:
            natural = np.array([MEANT[answer] for answer in answers])
            assert np.mean((scores <= found.threshold) == natural) == pytest.approx(found.agreement)
