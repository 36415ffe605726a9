"""How values with a syntax of their own are written."""

import pytest

from motionary.errors import UsageError
from motionary.requests import FACTORS, NAMES, NUMBERS, PERCENT, PERCENTS


def test_names_numbers_shares_and_factors():
    assert NAMES.read("--joints", " arms, Head,,") == ("arms", "Head")
    assert NUMBERS.read("--over-time", "1,3,1") == (1.0, 3.0, 1.0)
    assert FACTORS.read("--weight", ["a=b=2", "Head=-inf"]) == {"a=b": 2.0, "Head": float("-inf")}
    assert PERCENTS.read("--window", "10") == 0.1
    assert PERCENTS.read("--window", "5,0,100") == (0.05, 0.0, 1.0)

    assert PERCENTS.read("--window", "0.5%,20%") == (0.005, 0.2)


@pytest.mark.parametrize("percent", ["-1", "5,nan", "inf", "ten", "1e400"])
def test_what_is_no_percentage(percent):
    with pytest.raises(UsageError, match="--window takes percent, as in --window 15, not"):
        PERCENTS.read("--window", percent)


@pytest.mark.parametrize("percent", ["100.1", "5,200"])
def test_percentages_out_of_range(percent):
    with pytest.raises(UsageError, match=f"--window takes percentages from 0 to 100, not {percent}"):
        PERCENTS.read("--window", percent)


def test_a_percentage_that_may_be_a_factor_is_refused():
    with pytest.raises(UsageError, match=r"--scale 1\.5 may mean percent or a factor.* write --scale 50, or 1\.5% if"):
        PERCENT.read("--scale", "1.5")
    with pytest.raises(UsageError, match=r"--window 0\.1 may mean percent or a factor.* write --window 10,"):
        PERCENTS.read("--window", "0.1")
