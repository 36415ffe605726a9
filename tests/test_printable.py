import json

import pytest

from motionary.printable import printable

ATTACKS = ["\x1b[2J", "\x07", "\r", "\x7f", "\x9b31m", "\x85", "\u202e", "\u2066", "\u200f", "\u2028", "\ud800"]


@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_what_steers_a_terminal_is_written_out(attack: str) -> None:
    shown = printable(f"a{attack}b")

    assert shown.startswith("a\\u")
    assert shown.endswith("b")
    assert all(sign.isprintable() for sign in shown)
    assert json.loads(f'"{shown}"') == f"a{attack}b"


def test_ordinary_text_stays() -> None:
    text = "größe 手首\t☕\n|─ é"

    assert printable(text) == text
