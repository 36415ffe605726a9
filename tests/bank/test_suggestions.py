"""Names that may have been meant."""

import pytest

from motionary.bank.suggestions import near_names

NAMES = ["kick_side", "sit_down", "stand_up", "walk_01", "walk_02", "90_05", "Walk backwards"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("side_kick", ["kick_side"]),
        ("sit", ["sit_down"]),
        ("Sit-Down", ["sit_down"]),
        ("90_5", ["90_05"]),
        ("walk_03", ["walk_02", "walk_01"]),
        ("backwards", ["Walk backwards"]),
        ("05", []),
        ("fly", []),
        ("", []),
    ],
)
def test_what_may_have_been_meant(name: str, near: list[str]) -> None:
    assert near_names(name, NAMES) == near
