"""What is printed for people."""

import pytest

from motionary.cli.output import counted


@pytest.mark.parametrize(
    ("n", "text"), [(0, "0 clips"), (1, "1 clip"), (2, "2 clips"), (1234, "1,234 clips")], ids=lambda value: str(value)
)
def test_one_thing_is_no_plural(n, text):
    assert counted(n, "clip") == text
    assert counted(2, "match") == "2 matches"
