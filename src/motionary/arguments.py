"""Arguments of public functions: converted where their meaning is clear, rejected by name where it is not."""

import difflib
from collections.abc import Collection, Iterable, Mapping
from numbers import Integral, Real
from typing import Any

from motionary.errors import ArgumentError, UsageError


def check_is(given: object, *kinds: type, called: str, meant: str) -> None:
    """Raise unless it is of one of these types; `meant` says in words what it must be."""
    if not isinstance(given, kinds):
        raise _wrong_type(given, called, meant)


def check_options(given: Collection[str], known: Collection[str], *, called: str) -> None:
    """Raise for an option that does not exist, and suggest the nearest one that does."""
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            meant = f"; did you mean {near[0]}?" if near else f"; it takes {', '.join(known)}"
            raise UsageError(f"{called} has no option {name!r}{meant}")


def number(given: Any, called: str) -> float:
    """A number, of whatever numeric type, as a float."""
    if isinstance(given, bool) or not isinstance(given, Real):
        raise _wrong_type(given, called, "a number")
    return float(given)


def integer(given: Any, called: str) -> int:
    """An integer, of whatever integer type."""
    if isinstance(given, bool) or not isinstance(given, Integral):
        raise _wrong_type(given, called, "an integer")
    return int(given)


def numbers(given: Any, called: str) -> tuple[float, ...]:
    """Numbers, from any iterable of them."""
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise _wrong_type(given, called, "a list of numbers")
    return tuple(number(one, f"an item of {called}") for one in given)


def texts(given: Any, called: str) -> tuple[str, ...]:
    """Strings; a single string is a list of one."""
    if isinstance(given, str):
        return (given,)
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise _wrong_type(given, called, "a list of strings")
    found = tuple(given)
    for one in found:
        check_is(one, str, called=f"an item of {called}", meant="a string")
    return found


def some(given: Any, *kinds: type, called: str, meant: str) -> tuple[Any, ...]:
    """Items of these types, from any iterable; a single one is a list of one."""
    if isinstance(given, kinds):
        return (given,)
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise _wrong_type(given, called, f"a list whose items are {meant}")
    found = tuple(given)
    for one in found:
        check_is(one, *kinds, called=f"an item of {called}", meant=meant)
    return found


def words(given: Any, called: str) -> tuple[str, ...]:
    """Words; one string may hold several, separated by commas."""
    if isinstance(given, str):
        return tuple(word.strip() for word in given.split(",") if word.strip())
    return texts(given, called)


def factors(given: Any, called: str) -> dict[str, float]:
    """Numbers by name."""
    check_is(given, Mapping, called=called, meant="numbers by name, as in {'LeftHand': 2.0}")
    for name in given:
        check_is(name, str, called=f"a name in {called}", meant="a string")
    return {name: number(one, f"{called} of {name!r}") for name, one in given.items()}


def _wrong_type(given: object, called: str, meant: str) -> ArgumentError:
    shown = repr(given)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}…"
    return ArgumentError(called, f"must be {meant}, not {shown} ({type(given).__name__})")
