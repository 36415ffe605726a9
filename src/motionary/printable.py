"""Text from files, made fit for a terminal, an SVG or an HTML page: nothing in it steers whoever shows it."""

import re

# C0 but for tab and newline, DEL, C1; marks that turn the direction of text, or end lines; a lone half of a pair.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with every sign that would steer a terminal or turn text around written out, as in \\u001b.

    That is how JSON writes such a sign, too, so that a line of JSON keeps its meaning.
    """
    return _STEERING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
