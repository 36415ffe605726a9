"""What callers give: taken as it is meant, or refused by its name."""

from collections import OrderedDict
from fractions import Fraction
from inspect import Parameter, isclass, signature

import numpy as np
import pytest

import motionary
from motionary.arguments import check_is, check_options, factors, integer, number, numbers, some, texts, words
from motionary.errors import UsageError, UserError


def test_any_kind_of_number_is_a_number():
    assert [number(one, "x") for one in (1, 2.5, np.float32(0.5), np.int8(3), Fraction(1, 4))] == [1, 2.5, 0.5, 3, 0.25]
    assert all(type(number(one, "x")) is float for one in (1, np.float64(2.0)))
    assert type(integer(np.int64(4), "k")) is int


def test_one_stands_for_a_list_where_that_is_clear():
    assert texts("walk, fast", "labels") == ("walk, fast",)
    assert words("left arm, Head,", "joints") == ("left arm", "Head")
    assert texts(iter(["a", "b"]), "labels") == words(["a", "b"], "joints") == ("a", "b")
    assert numbers(np.array([1, 2]), "over_time") == (1.0, 2.0)
    assert factors(OrderedDict(Head=np.float32(2)), "weights") == {"Head": 2.0}


@pytest.mark.parametrize(
    ("take", "given", "told"),
    [
        (number, "3", "x must be a number, not '3' (str)"),
        (number, True, "x must be a number, not True (bool)"),
        (number, None, "x must be a number, not None (NoneType)"),
        (number, 1j, "x must be a number"),
        (integer, 3.0, "x must be an integer, not 3.0 (float)"),
        (integer, False, "x must be an integer"),
        (numbers, 2.0, "x must be a list of numbers, not 2.0 (float)"),
        (numbers, "12", "x must be a list of numbers"),
        (numbers, [1, "2"], "an item of x must be a number, not '2' (str)"),
        (texts, 5, "x must be a list of strings, not 5 (int)"),
        (texts, {"a": 1}, "x must be a list of strings"),
        (texts, ["a", 1], "an item of x must be a string, not 1 (int)"),
        (words, 5, "x must be a list of strings"),
        (factors, [1], "x must be numbers by name, as in {'LeftHand': 2.0}, not [1] (list)"),
        (factors, {3: 1.0}, "a name in x must be a string, not 3 (int)"),
        (factors, {"Head": "2"}, "x of 'Head' must be a number, not '2' (str)"),
    ],
)
def test_what_cannot_be_meant_is_told_by_its_name(take, given, told):
    with pytest.raises(UsageError) as raised:
        take(given, "x")
    assert told in str(raised.value)


def test_what_is_shown_of_it_is_short():
    with pytest.raises(UsageError) as raised:
        check_is(list(range(1000)), str, called="name", meant="a text")
    assert str(raised.value).startswith("name must be a text, not [0, 1, 2")
    assert len(str(raised.value)) < 110


def test_options_that_nobody_knows():
    check_options({"k": 3}, ["k", "within"], called="search")
    with pytest.raises(UsageError, match="search has no option 'witin'; did you mean within"):
        check_options(["witin"], ["k", "within"], called="search")
    with pytest.raises(UsageError, match="search has no option 'x'; it takes k, within"):
        check_options(["x"], ["k", "within"], called="search")


def test_one_of_a_kind_is_a_list_of_one():
    assert some(3, int, called="numbers", meant="a number") == (3,)
    assert some(iter([3, 4]), int, called="numbers", meant="a number") == (3, 4)
    with pytest.raises(UsageError, match=r"numbers must be a list whose items are a number, not 'three' \(str\)"):
        some("three", int, called="numbers", meant="a number")
    with pytest.raises(UsageError, match="an item of numbers must be a number, not 'three'"):
        some([3, "three"], int, called="numbers", meant="a number")


def needed(call) -> list[str]:
    """What a public call has to be given."""
    return [
        one.name
        for one in signature(call).parameters.values()
        if one.default is Parameter.empty and one.kind is Parameter.POSITIONAL_OR_KEYWORD
    ]


PUBLIC = [
    (name, wrong)
    for name, where in motionary._WHERE.items()
    if where in ("search", "picture") and not isclass(getattr(motionary, name))
    for wrong in needed(getattr(motionary, name))
]


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with motionary.Bank.open(tmp_path_factory.mktemp("given") / "a.bank", create=True) as bank:
        motionary.sample_into(bank, minutes=0.2)
        yield bank


@pytest.mark.parametrize("given", [object(), [object()], None, 1.5], ids=["object", "list", "None", "number"])
@pytest.mark.parametrize(("name", "wrong"), PUBLIC, ids=str)
def test_public_calls_say_what_is_wrong_with_what_they_are_given(bank, tmp_path, name, wrong, given):
    call = getattr(motionary, name)
    usual = {"bank": bank, "path": tmp_path / "picture.png", "name": "kept"}
    told = {one: usual.get(one, "#1:0-20") for one in needed(call)} | {wrong: given}

    with pytest.raises(UserError):
        call(*told.values())


def test_matches_without_their_query_are_no_result(bank, tmp_path):
    result = motionary.search_bank(bank, "#1:0-20", k=1)

    with pytest.raises(UsageError, match="result must be what search_bank gives, its query and matches together"):
        motionary.show_matches(bank, result.matches, tmp_path / "picture.png")
