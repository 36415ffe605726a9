"""What options hold, from text: numbers, shares, parts of the body and what belongs to them."""

from motionary.errors import UsageError


def names_of(text: str) -> tuple[str, ...]:
    """Names with commas between."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def numbers_of(option: str, given: list[str]) -> dict[str, float]:
    """`LeftHand=2` as a part and its number."""
    numbers = {}
    for text in given:
        part, _, number = text.rpartition("=")
        try:
            numbers[part] = float(number)
        except ValueError:
            part = ""
        if not part:
            raise UsageError(f"{text!r} is no {option}; write PART=NUMBER, as in LeftHand=2")
    return numbers


def numbers_along(option: str, text: str) -> tuple[float, ...]:
    """Numbers with commas between."""
    try:
        return tuple(float(number) for number in text.split(","))
    except ValueError:
        raise UsageError(f"{option} takes numbers with commas between, as in 1,3,1, not {text!r}") from None


def shares_along(option: str, percent: str) -> float | tuple[float, ...]:
    """Percent of the query as shares of it: one, or several along it."""
    numbers = numbers_along(option, percent)
    if not all(0 <= number <= 100 for number in numbers):
        raise UsageError(f"{option} is in percent of the query, from 0 to 100, not {percent}")
    shares = tuple(number / 100.0 for number in numbers)
    return shares[0] if len(shares) == 1 else shares


def part_and_query(option: str, text: str, *, part_needed: bool) -> tuple[str, str]:
    """`arms=wave:0-60` as parts and a query; without `=`, where that may be, all is meant."""
    parts, sign, shown = text.partition("=")
    if not sign and not part_needed:
        return "", text
    if not parts.strip() or not shown.strip():
        raise UsageError(f"{text!r} is no {option}; write PARTS=QUERY in one word, as in arms=wave:0-60")
    return parts, shown
