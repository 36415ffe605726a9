"""Conditions on Effort and Shape, from text."""

import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.qualities import Condition, read_condition


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("time>2", Condition("time", ">", 2.0)),
        (" horizontal <= .4 ", Condition("horizontal", "<=", 0.4)),
        ("flow>=-1e-2", Condition("flow", ">=", -0.01)),
        ("space<+1.5", Condition("space", "<", 1.5)),
    ],
)
def test_conditions_are_read(text: str, wanted: Condition) -> None:
    assert read_condition(text) == wanted


@pytest.mark.parametrize("text", ["", "time", "time>", "time=2", "time>fast", "hop>1", "time>2>1", "time>1e"])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a condition"):
        read_condition(text)


@pytest.mark.parametrize(("sign", "wanted"), [("<", "100"), ("<=", "110"), (">", "001"), (">=", "011")])
def test_signs_mean_what_they_say_and_what_is_unknown_fulfils_none(sign: str, wanted: str) -> None:
    condition = Condition("time", sign, 2.0)

    assert [condition.holds({"time": value}) for value in (1.0, 2.0, 3.0)] == [one == "1" for one in wanted]
    assert not condition.holds({"time": np.nan})
