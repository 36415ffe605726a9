"""A request is written once: checks, keywords, signatures and schemas come from its fields."""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any, Literal

import numpy as np
import pytest

from motionary.errors import ArgumentError, UsageError
from motionary.requests import (
    FACTORS,
    NAMES,
    PERCENT,
    PERCENTS,
    Method,
    Registry,
    Request,
    argument,
    keywords_of,
    option,
    request_from,
    schema_of,
    settings_of,
)


@dataclass(frozen=True, kw_only=True)
class Stir(Request):
    """How to stir."""

    query: Any = argument(help="What to stir.")
    k: int | None = option(10, help="How many.", flags=("-k",), at_least=1, basic=True)
    speed: float = option(1.0, help="How fast.", at_least=0.0, at_most=2.0)
    style: Literal["round", "cross"] = option("round", help="Which way.")
    joints: tuple[str, ...] = option((), help="Only these.", form=NAMES)
    labels: tuple[str, ...] = option((), help="Only those.", flags=("--label", "-l"))
    window: float | tuple[float, ...] = option(0.1, help="How far.", form=PERCENTS, at_least=0, at_most=1)
    weights: Mapping[str, float] = option({}, help="How much.", form=FACTORS)
    loop: bool = option(False, help="Again.")


def test_fields_are_taken_in_whatever_type_they_come():
    stir = Stir(query=1, k=np.int64(3), speed=1, joints="arms, Head", labels="a, b", window=[0, 0.5], weights={"a": 1})

    assert (stir.k, stir.speed, stir.joints, stir.labels) == (3, 1.0, ("arms", "Head"), ("a, b",))
    assert (stir.window, stir.weights) == ((0.0, 0.5), {"a": 1.0})
    assert type(stir.speed) is float
    assert Stir(query=1, k=None).k is None
    assert Stir(query=1).weights is not Stir(query=1).weights


@pytest.mark.parametrize(
    ("keywords", "told"),
    [
        ({"k": 0}, "k must be at least 1, not 0"),
        ({"k": 2.5}, "k must be an integer, not 2.5 (float)"),
        ({"k": True}, "k must be an integer"),
        ({"speed": 3}, "speed must be between 0 and 2, not 3"),
        ({"speed": float("nan")}, "speed must be a number, not nan"),
        ({"speed": None}, "speed must be a number"),
        ({"style": "up"}, "style must be round or cross, not 'up'"),
        ({"joints": 3}, "joints must be a list of strings"),
        ({"window": (0.5, 2)}, "window must be between 0 and 1, not 2"),
        ({"weights": {"a": "b"}}, "weights of 'a' must be a number"),
        ({"loop": 1}, "loop must be True or False, not 1"),
    ],
)
def test_wrong_values_are_rejected_by_name(keywords, told):
    with pytest.raises(ArgumentError) as raised:
        Stir(query=1, **keywords)

    assert str(raised.value).startswith(told)
    assert raised.value.name.split()[0] == next(iter(keywords))


def test_requests_from_keywords():
    assert request_from(Stir, {"query": 1, "k": 3}, called="stir").k == 3
    with pytest.raises(UsageError, match="stir has no option 'sped'; did you mean speed"):
        request_from(Stir, {"query": 1, "sped": 3}, called="stir")


def test_flags_of_fields():
    flags = {one.name: one.flags for one in settings_of(Stir)}

    assert flags["query"] == ()
    assert (flags["k"], flags["speed"], flags["labels"]) == (("-k",), ("--speed",), ("--label", "-l"))
    assert PERCENT.read("--speed", "50") == PERCENT.read("--speed", "50%") == 0.5
    assert PERCENTS.read("--window", "5,20") == (0.05, 0.2)
    with pytest.raises(UsageError, match="--window takes percentages from 0 to 100, not 200"):
        PERCENTS.read("--window", "200")
    with pytest.raises(UsageError, match="--weight takes NAME=NUMBER, as in Head=2, not 'Head'"):
        FACTORS.read("--weight", ["Head"])


def test_a_function_shows_the_fields_as_its_keywords():
    @keywords_of(Stir)
    def stir(bank, query, *, index=None, **keywords):
        return bank, query, index, keywords

    shown = signature(stir).parameters
    assert list(shown) == [
        *("bank", "query", "k", "speed", "style", "joints", "labels", "window", "weights", "loop", "index"),
    ]
    assert shown["k"].default == 10


def test_the_schema_of_a_request():
    schema = schema_of(Stir)

    assert schema["required"] == ["query"]
    assert schema["properties"]["style"] == {
        "enum": ["round", "cross"],
        "description": "Which way.",
        "default": "round",
    }
    assert schema["properties"]["k"]["anyOf"] == [{"type": "integer"}, {"type": "null"}]
    assert schema["properties"]["speed"]["maximum"] == 2.0


def test_methods_are_found_by_name_and_imported_when_they_are_called():
    methods = Registry(
        "method", Method("join", "join", Stir, "os.path:join", "joins"), Method("never", "", Stir, "no:x", "")
    )

    assert list(methods) == ["join", "never"]
    assert methods["join"]("a", "b") == "a/b"
    with pytest.raises(UsageError, match="there is no method 'jion'; choose join, never"):
        methods["jion"]
