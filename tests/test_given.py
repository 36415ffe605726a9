"""What callers give: taken as it is meant, or refused by its name."""

from collections import OrderedDict
from fractions import Fraction

import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.given import check_is, check_options, factors, number, numbers, texts, whole_number, words


def test_any_kind_of_number_is_a_number():
    assert [number(one, "x") for one in (1, 2.5, np.float32(0.5), np.int8(3), Fraction(1, 4))] == [1, 2.5, 0.5, 3, 0.25]
    assert all(type(number(one, "x")) is float for one in (1, np.float64(2.0)))
    assert type(whole_number(np.int64(4), "k")) is int


def test_one_stands_for_a_list_where_that_is_clear():
    assert texts("walk, fast", "labels") == ("walk, fast",)
    assert words("left arm, Head,", "joints") == ("left arm", "Head")
    assert texts(iter(["a", "b"]), "labels") == words(["a", "b"], "joints") == ("a", "b")
    assert numbers(np.array([1, 2]), "over_time") == (1.0, 2.0)
    assert factors(OrderedDict(Head=np.float32(2)), "weights") == {"Head": 2.0}


@pytest.mark.parametrize(
    ("take", "given", "told"),
    [
        (number, "3", "x is to be a number, not '3' (str)"),
        (number, True, "x is to be a number, not True (bool)"),
        (number, None, "x is to be a number, not None (NoneType)"),
        (number, 1j, "x is to be a number"),
        (whole_number, 3.0, "x is to be a whole number, not 3.0 (float)"),
        (whole_number, False, "x is to be a whole number"),
        (numbers, 2.0, "x is to be a list of numbers, not 2.0 (float)"),
        (numbers, "12", "x is to be a list of numbers"),
        (numbers, [1, "2"], "what is in x is to be a number, not '2' (str)"),
        (texts, 5, "x is to be a list of texts, not 5 (int)"),
        (texts, {"a": 1}, "x is to be a list of texts"),
        (texts, ["a", 1], "what is in x is to be a text, not 1 (int)"),
        (words, 5, "x is to be a list of texts"),
        (factors, [1], "x is to be numbers by name, as in {'LeftHand': 2.0}, not [1] (list)"),
        (factors, {3: 1.0}, "a name in x is to be a text, not 3 (int)"),
        (factors, {"Head": "2"}, "x of 'Head' is to be a number, not '2' (str)"),
    ],
)
def test_what_cannot_be_meant_is_told_by_its_name(take, given, told):
    with pytest.raises(UsageError) as raised:
        take(given, "x")
    assert told in str(raised.value)


def test_what_is_shown_of_it_is_short():
    with pytest.raises(UsageError) as raised:
        check_is(list(range(1000)), str, called="name", meant="a text")
    assert str(raised.value).startswith("name is to be a text, not [0, 1, 2")
    assert len(str(raised.value)) < 110


def test_options_that_nobody_knows():
    check_options({"k": 3}, ["k", "within"], called="search")
    with pytest.raises(UsageError, match="search has no option 'witin'; did you mean within"):
        check_options(["witin"], ["k", "within"], called="search")
    with pytest.raises(UsageError, match="search has no option 'x'; there are k, within"):
        check_options(["x"], ["k", "within"], called="search")
