"""Numbers as people read them."""

from hypothesis import given
from hypothesis import strategies as st

from motionary.rounding import json_number, measured, rounded_down, rounded_up


@given(number=st.floats(-1e6, 1e6), n_digits=st.integers(0, 4))
def test_what_is_rounded_up_is_never_less_and_less_than_a_step_more(number, n_digits):
    read = float(rounded_up(number, n_digits))

    assert number <= read < number + 1.001 * 10.0**-n_digits


@given(number=st.floats(-1e6, 1e6), n_digits=st.integers(0, 4))
def test_what_is_rounded_down_is_never_more(number, n_digits):
    read = float(rounded_down(number, n_digits))

    assert number - 1.001 * 10.0**-n_digits < read <= number


def test_what_has_few_digits_stays():
    assert [rounded_up(number, 2) for number in (0.1, 12.34, 12.341, 0.0, -0.019)] == [
        "0.10", "12.34", "12.35", "0.00", "-0.01",
    ]  # fmt: skip
    assert [rounded_down(number, 2) for number in (0.29, 0.9, 0.8999, 1.0, 0.0)] == [
        "0.29", "0.90", "0.89", "1.00", "0.00",
    ]  # fmt: skip


def test_what_is_not_measured_is_null_in_json_and_told_in_words():
    nan = float("nan")

    assert [json_number(number, 2) for number in (1.239, 0.0, nan, float("inf"))] == [1.24, 0.0, None, None]
    assert [measured(number, 1, "cm") for number in (3.41, None, nan)] == ["3.4 cm", "not measured", "not measured"]
    assert measured(2.0, 1) == "2.0"
