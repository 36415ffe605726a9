"""Numbers as people read them, rounded to the side on which they still hold."""


def rounded_up(number: float, n_digits: int) -> str:
    """A number with so many digits behind the point, and never less than it is: as a threshold it lets it pass."""
    text = f"{number:.{n_digits}f}"
    return text if float(text) >= number else f"{float(text) + 10.0**-n_digits:.{n_digits}f}"


def rounded_down(number: float, n_digits: int) -> str:
    """A number with so many digits behind the point, and never more than it is: below a limit, it stays below."""
    text = f"{number:.{n_digits}f}"
    return text if float(text) <= number else f"{float(text) - 10.0**-n_digits:.{n_digits}f}"
