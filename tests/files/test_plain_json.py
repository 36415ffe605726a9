import pytest

from motionary.files import parse_json


@pytest.mark.parametrize(
    "text", ["NaN", "[Infinity]", "[-Infinity]", "1e999", "[" * 100_000, '{"a":' * 100_000, "", "{", "nul"]
)
def test_what_is_no_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_json(text)


def test_json_is_read() -> None:
    assert parse_json('{"a": [1, 2.5, null, "x"]}') == {"a": [1, 2.5, None, "x"]}
