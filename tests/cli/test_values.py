"""What options hold, from text."""

import pytest

from motionary.cli.values import names_of, numbers_of, part_and_query, shares_along
from motionary.errors import UsageError


def test_names_numbers_shares_and_parts():
    assert names_of(" arms, Head,,") == ("arms", "Head")
    assert numbers_of("--weight", ["a=b=2", "Head=-inf"]) == {"a=b": 2.0, "Head": float("-inf")}
    assert shares_along("--window", "10") == 0.1
    assert shares_along("--window", "5,0,100") == (0.05, 0.0, 1.0)
    assert part_and_query("--from", "arms, Head=a=b:0-9", part_needed=True) == ("arms, Head", "a=b:0-9")
    assert part_and_query("--unlike", "walk:0-9", part_needed=False) == ("", "walk:0-9")


@pytest.mark.parametrize("percent", ["-1", "100.1", "5,nan", "inf"])
def test_percent_is_told_in_percent(percent):
    with pytest.raises(UsageError, match="in percent of the query, from 0 to 100"):
        shares_along("--window", percent)


@pytest.mark.parametrize("text", ["walk:0-9", "=walk", "arms=", " = "])
def test_parts_that_are_missing(text):
    with pytest.raises(UsageError, match="write PARTS=QUERY in one word"):
        part_and_query("--from", text, part_needed=True)
