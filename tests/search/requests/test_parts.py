"""Queries for parts of the body."""

import pytest

from motionary.errors import UsageError
from motionary.search.requests.parts import PART_AND_QUERY, PARTS_AND_QUERY


def test_parts_and_queries():
    assert PART_AND_QUERY.read("--from", ["arms, Head=a=b:0-9"]) == [("arms, Head", "a=b:0-9")]
    assert PARTS_AND_QUERY.read("--unlike", ["walk:0-9", "arms=x"]) == [("", "walk:0-9"), ("arms", "x")]


@pytest.mark.parametrize("text", ["walk:0-9", "=walk", "arms=", " = "])
def test_parts_that_are_missing(text):
    with pytest.raises(UsageError, match="--from takes PARTS=QUERY without spaces"):
        PART_AND_QUERY.read("--from", [text])
