import numpy as np
import pytest

from motionary.files import json_value, parse_json


@pytest.mark.parametrize(
    "text", ["NaN", "[Infinity]", "[-Infinity]", "1e999", "[" * 100_000, '{"a":' * 100_000, "", "{", "nul"]
)
def test_what_is_no_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_json(text)


def test_json_is_read() -> None:
    assert parse_json('{"a": [1, 2.5, null, "x"]}') == {"a": [1, 2.5, None, "x"]}


def test_values_become_what_json_can_hold() -> None:
    value = {"a": [float("nan"), (1, True)], 2: np.array([1.5, np.inf]), "n": np.float64("nan"), "i": np.int64(3)}

    assert json_value(value) == {"a": [None, [1, True]], "2": [1.5, None], "n": None, "i": 3}
