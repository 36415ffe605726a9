"""How values with a syntax of their own are written."""

import pytest

from motionary.errors import UsageError
from motionary.requests import FACTORS, NAMES, NUMBERS, PERCENTS


def test_names_numbers_shares_and_factors():
    assert NAMES.read("--joints", " arms, Head,,") == ("arms", "Head")
    assert NUMBERS.read("--over-time", "1,3,1") == (1.0, 3.0, 1.0)
    assert FACTORS.read("--weight", ["a=b=2", "Head=-inf"]) == {"a=b": 2.0, "Head": float("-inf")}
    assert PERCENTS.read("--window", "10") == 0.1
    assert PERCENTS.read("--window", "5,0,100") == (0.05, 0.0, 1.0)


@pytest.mark.parametrize("percent", ["-1", "100.1", "5,nan", "inf"])
def test_percentages_out_of_range(percent):
    with pytest.raises(UsageError, match="--window takes percentages from 0 to 100"):
        PERCENTS.read("--window", percent)
