"""How values with a syntax of their own are written on the command line."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from motionary.errors import UsageError


@dataclass(frozen=True)
class Form:
    """What one option takes, and how its text becomes the value of a field.

    `read(flag, text)` gets the text, or all texts in order if the option can be `repeated`.
    """

    metavar: str | None
    read: Callable[[str, Any], Any]
    repeated: bool = False
    splits: bool = False  # whether in Python, too, one string may hold several names, separated by commas
    write: Callable[[Any], str] = str  # a field's default, as people would type it


def read_names(flag: str, text: str) -> tuple[str, ...]:
    """Names separated by commas."""
    del flag
    return tuple(name.strip() for name in text.split(",") if name.strip())


def read_numbers(flag: str, text: str) -> tuple[float, ...]:
    """Numbers separated by commas."""
    try:
        return tuple(float(number) for number in text.split(",")) if text else ()
    except ValueError:
        raise UsageError(f"{flag} takes numbers separated by commas, as in 1,3,1, not {text!r}") from None


def read_percents(flag: str, text: str) -> float | tuple[float, ...]:
    """Percentages as shares: one, or several separated by commas."""
    shares = tuple(read_percent(flag, number) for number in text.split(","))
    if not all(share <= 1.0 for share in shares):
        raise UsageError(f"{flag} takes percentages from 0 to 100, not {text}")
    return shares[0] if len(shares) == 1 else shares


def read_percent(flag: str, text: str) -> float:
    """A percentage, 15 or 15%, as a share; what may have been meant as a share or a factor is refused."""
    try:
        number = float(text.strip().removesuffix("%"))
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise UsageError(f"{flag} takes percent, as in {flag} 15, not {text!r}")
    if 0 < number < 2 and number != int(number) and "%" not in text:
        meant = f"{100 * number:g}" if number < 1 else f"{100 * (number - 1):g}"
        raise UsageError(
            f"{flag} {text} may mean percent or a factor: it takes percent; write {flag} {meant}, or {text}% if you "
            "mean that"
        )
    return number / 100.0


def read_factors(flag: str, texts: Sequence[str]) -> dict[str, float]:
    """`LeftHand=2` as a name and its number."""
    factors = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            factors[name] = float(number)
        except ValueError:
            name = ""
        if not name:
            example = f"{text}=2" if text and "=" not in text else "LeftHand=2"
            raise UsageError(f"{flag} takes NAME=NUMBER, as in {example}, not {text!r}")
    return factors


def write_percents(shares: Any) -> str:
    """Shares as percentages, separated by commas."""
    return ",".join(f"{100.0 * share:g}" for share in (shares if isinstance(shares, tuple) else (shares,)))


PERCENT = Form("PERCENT", read_percent, write=write_percents)
PERCENTS = Form("PERCENT", read_percents, write=write_percents)
NAMES = Form("NAMES", read_names, splits=True, write=",".join)
REPEATED_NAMES = Form("NAME", lambda _, texts: tuple(texts), repeated=True, splits=True, write=",".join)
NUMBERS = Form("NUMBERS", read_numbers, write=lambda numbers: ",".join(f"{number:g}" for number in numbers))
TEXTS = Form(None, lambda _, texts: tuple(texts), repeated=True, write=",".join)
FACTORS = Form("NAME=NUMBER", read_factors, repeated=True, write=lambda _: "")
