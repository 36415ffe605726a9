"""What callers give: taken for what it can only mean, or refused at the door, where its name is still known."""

import difflib
from collections.abc import Collection, Iterable, Mapping
from numbers import Integral, Real
from typing import Any

from motionary.errors import UsageError


def check_is(given: object, *kinds: type, called: str, meant: str) -> None:
    """Raise unless it is of one of these kinds; `meant` says in words what it is to be."""
    if not isinstance(given, kinds):
        raise _not_meant(given, called, meant)


def check_options(given: Collection[str], known: Collection[str], *, called: str) -> None:
    """Raise if there is an option that nobody knows."""
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            meant = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"
            raise UsageError(f"{called} has no option {name!r}{meant}")


def number(given: Any, called: str) -> float:
    """A number, whatever kind of number it is."""
    if isinstance(given, bool) or not isinstance(given, Real):
        raise _not_meant(given, called, "a number")
    return float(given)


def whole_number(given: Any, called: str) -> int:
    """A whole number."""
    if isinstance(given, bool) or not isinstance(given, Integral):
        raise _not_meant(given, called, "a whole number")
    return int(given)


def numbers(given: Any, called: str) -> tuple[float, ...]:
    """Numbers, from anything that holds some."""
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise _not_meant(given, called, "a list of numbers")
    return tuple(number(one, f"what is in {called}") for one in given)


def texts(given: Any, called: str) -> tuple[str, ...]:
    """Texts; one by itself is one of them."""
    if isinstance(given, str):
        return (given,)
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise _not_meant(given, called, "a list of texts")
    found = tuple(given)
    for one in found:
        check_is(one, str, called=f"what is in {called}", meant="a text")
    return found


def some(given: Any, *kinds: type, called: str, meant: str) -> tuple[Any, ...]:
    """Things of these kinds, in whatever holds them; one by itself is one of them."""
    if isinstance(given, kinds):
        return (given,)
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise _not_meant(given, called, f"a list, each of it {meant}")
    found = tuple(given)
    for one in found:
        check_is(one, *kinds, called=f"what is in {called}", meant=meant)
    return found


def words(given: Any, called: str) -> tuple[str, ...]:
    """Words; one text may hold several, with commas between."""
    if isinstance(given, str):
        return tuple(word.strip() for word in given.split(",") if word.strip())
    return texts(given, called)


def factors(given: Any, called: str) -> dict[str, float]:
    """Numbers by the words that they belong to."""
    check_is(given, Mapping, called=called, meant="numbers by name, as in {'LeftHand': 2.0}")
    for name in given:
        check_is(name, str, called=f"a name in {called}", meant="a text")
    return {name: number(one, f"{called} of {name!r}") for name, one in given.items()}


def _not_meant(given: object, called: str, meant: str) -> UsageError:
    shown = repr(given)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}…"
    return UsageError(f"{called} is to be {meant}, not {shown} ({type(given).__name__})")
