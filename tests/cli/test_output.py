"""What is printed for people."""

import pytest

from motionary.cli.output import counted, print_json


@pytest.mark.parametrize(
    ("n", "text"), [(0, "0 clips"), (1, "1 clip"), (2, "2 clips"), (1234, "1,234 clips")], ids=lambda value: str(value)
)
def test_one_thing_is_no_plural(n, text):
    assert counted(n, "clip") == text
    assert counted(2, "match") == "2 matches"


def test_json_has_null_for_numbers_that_it_does_not_have(capsys):
    print_json([{"score_cm": float("nan"), "more": [float("inf"), 1.5]}])

    assert capsys.readouterr().out == '{"score_cm": null, "more": [null, 1.5]}\n'
