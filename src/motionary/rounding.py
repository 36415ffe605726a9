"""Numbers as people and JSON read them: rounded to the side on which they still hold, or told as not measured."""

import math


def rounded_up(number: float, n_digits: int) -> str:
    """A number with so many digits behind the point, and never less than it is: as a threshold it lets it pass."""
    text = f"{number:.{n_digits}f}"
    return text if float(text) >= number else f"{float(text) + 10.0**-n_digits:.{n_digits}f}"


def rounded_down(number: float, n_digits: int) -> str:
    """A number with so many digits behind the point, and never more than it is: below a limit, it stays below."""
    text = f"{number:.{n_digits}f}"
    return text if float(text) <= number else f"{float(text) - 10.0**-n_digits:.{n_digits}f}"


def json_number(number: float, n_digits: int) -> float | None:
    """A number rounded to so many digits; None for one that is not finite (not measured), which JSON does not have."""
    return round(float(number), n_digits) if math.isfinite(number) else None


def measured(number: float | None, n_digits: int, unit: str = "") -> str:
    """A measured number for people, as in "3.4 cm"; "not measured" if it is None or not finite."""
    if number is None or not math.isfinite(number):
        return "not measured"
    return f"{number:.{n_digits}f} {unit}".rstrip()
