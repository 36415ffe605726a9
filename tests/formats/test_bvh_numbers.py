"""Decimal text to doubles, against Python's float()."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.formats.bvh_numbers import (
    LARGEST,
    Outcome,
    count_lines,
    lines_fit_frames,
    read_frames,
    read_frames_reference,
)


def text_of(text: str | bytes) -> np.ndarray:
    return np.frombuffer(text.encode() if isinstance(text, str) else text, dtype=np.uint8)


def read_one(word: str) -> float:
    frames = read_frames(text_of(word), 0, n_frames=1, n_channels=1)
    assert frames.outcome == Outcome.COMPLETE
    return float(frames.values[0, 0])


def same_bits(a: float, b: float) -> bool:
    return np.float64(a).tobytes() == np.float64(b).tobytes()


def digits(most: int) -> st.SearchStrategy[str]:
    return st.text("0123456789", max_size=most)


@st.composite
def decimals(draw):
    """Decimal numbers of any length, with zeros in front, exponents and all."""
    whole, fraction = draw(digits(22)), draw(st.one_of(st.none(), digits(30)))
    if not whole and not fraction:
        whole = "0"
    mantissa = whole if fraction is None else f"{whole}.{fraction}"
    exponent = draw(st.one_of(st.just(""), st.integers(-340, 40).map(lambda e: f"e{e}"), st.just("E-005")))
    return draw(st.sampled_from(["", "-", "+"])) + mantissa + exponent


@given(st.lists(decimals().filter(lambda word: abs(float(word)) <= LARGEST), min_size=1, max_size=40))
def test_every_number_is_that_of_float(words):
    frames = read_frames(text_of(" ".join(words)), 0, n_frames=1, n_channels=len(words))

    assert frames.outcome == Outcome.COMPLETE
    for word, value in zip(words, frames.values[0], strict=True):
        assert same_bits(value, float(word)), word


@given(st.lists(st.floats(-LARGEST, LARGEST), min_size=1, max_size=60))
def test_shortest_and_long_texts_of_doubles_read_back(values):
    for form in (repr, "{:.17g}".format, "{:.6f}".format, "{:.3e}".format, "{:.25f}".format):
        text = "\n".join(form(value) for value in values)

        frames = read_frames(text_of(text), 0, n_frames=len(values), n_channels=1)

        np.testing.assert_array_equal(frames.values, read_frames_reference(text.encode(), 1))


@given(st.integers(1, 2**53 - 1), st.integers(-75, -1))
def test_numbers_half_way_between_two_doubles_go_to_the_even_one(mantissa, shift):
    half_way = Fraction(2 * mantissa + 1) * Fraction(2) ** shift
    text = f"{half_way.numerator * 10**80 // half_way.denominator:081d}"
    word = f"{text[:-80]}.{text[-80:]}".rstrip("0")
    if abs(float(word)) <= LARGEST:
        assert same_bits(read_one(word), float(word))
    short = word[:19].rstrip(".")
    if abs(float(short)) <= LARGEST:
        assert same_bits(read_one(short), float(short))


@pytest.mark.parametrize(
    "word",
    ["0", "-0", "0.0", "-.0", "5.", ".5", "+7", "007", "1e0", "1E+002", "9.27e-16", "7.6e-016", "-1.2e-05",
     ".0083333", "9007199254740991e-5", "9007199254740992e-5", "9007199254740993e-4", "9007199254740995e-5",
     "0e999999999999",
     "0.1e-400", "1e-400", "123456789012345678e-6", "999999999999999999e-7", "1000000000000000000e-18",
     "9223372036854775807e-9", "9223372036854775808e-9", "0.000000000000000000000000000012345", "4.9e-324",
     "2.2250738585072011e-308", "0.30000000000000004", "8.5e-23", "1234567890123456789012345e-20", "1e12"],
)  # fmt: skip
def test_nasty_numbers(word):
    assert same_bits(read_one(word), float(word))


def test_random_doubles_of_all_sizes_read_back():
    rng = np.random.default_rng(7)
    values = rng.normal(size=(400, 50)) * 10.0 ** rng.integers(-12, 8, size=(400, 50))
    text = "\n".join(" ".join(map(repr, row)) for row in values.tolist())

    np.testing.assert_array_equal(read_frames(text_of(text), 0, n_frames=400, n_channels=50).values, values)


@pytest.mark.parametrize(
    ("text", "outcome", "n_frames", "position"),
    [
        ("1 2\n3 4\n", Outcome.COMPLETE, 2, 7),
        ("1 2\n3 4", Outcome.COMPLETE, 2, 7),
        ("\n\n1 2\r\n\r\n3 4 \n5 6\n", Outcome.COMPLETE, 2, 13),
        ("", Outcome.ENDED, 0, 0),
        (" \n ", Outcome.ENDED, 0, 3),
        ("1 2\n", Outcome.ENDED, 1, 4),
        ("1 2", Outcome.ENDED, 1, 3),
        ("1 2\n3", Outcome.WRONG_COUNT, 1, 5),
        ("1 2\n3\n4", Outcome.WRONG_COUNT, 1, 5),
        ("1 2 3\n4", Outcome.WRONG_COUNT, 0, 4),
        ("1 2\n3 4 5", Outcome.WRONG_COUNT, 1, 8),
        ("1 2\n3 x", Outcome.NOT_A_NUMBER, 1, 6),
        ("1 2\n3 4x", Outcome.NOT_A_NUMBER, 1, 6),
        ("1 2\n3 4 x", Outcome.WRONG_COUNT, 1, 8),
        ("1 1000000000001", Outcome.TOO_LARGE, 0, 2),
        ("1 -1e13", Outcome.TOO_LARGE, 0, 2),
        ("1 " + "1" * 30, Outcome.TOO_LARGE, 0, 2),
        ("1 2\n3 4.0000000000000000000001\n", Outcome.COMPLETE, 2, 30),
        ("1 2\n3 4.0000000000000000000001 5\n", Outcome.WRONG_COUNT, 1, 31),
        ("1.0000000000000000000001 2\n3.0000000000000000000001\n", Outcome.WRONG_COUNT, 1, 51),
    ],
)
def test_where_and_why_reading_ends(text, outcome, n_frames, position):
    frames = read_frames(text_of(text), 0, n_frames=2, n_channels=2)

    assert (frames.outcome, len(frames.values), frames.position) == (outcome, n_frames, position)


def test_line_ends_are_blanks_unless_frames_have_lines_of_their_own():
    frames = read_frames(text_of("1\n2 3\r\n\n4 5 6 7"), 0, n_frames=3, n_channels=2, by_line=False)

    assert frames.values.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert frames.outcome == Outcome.COMPLETE


@pytest.mark.parametrize(
    ("text", "n_channels", "fits"),
    [
        ("1 2 3 4 5 6", 3, True),
        ("1 2\n3\n4 5\n6", 3, True),
        ("1\n2\n3\n4\n5\n6\n", 3, True),
        ("1 2 3\n4 5 6 ", 3, True),
        ("1 2 3 4\n5 6", 3, False),
        ("1 2\n3 4\n5 6", 3, False),
        ("1 2 3 4 5", 3, False),
        ("1 2 3 4 5 6 7 8 9", 3, False),
        ("", 3, False),
    ],
)
def test_lines_fit_if_each_holds_whole_frames_or_part_of_one(text, n_channels, fits):
    assert lines_fit_frames(text_of(text), 0, n_frames=2, n_channels=n_channels) == fits


def test_lines_are_counted_by_their_words():
    assert count_lines(text_of("x\n1 2\n\r\n  3\t4  \r5 6 7\n \n8 9"), 2, 2) == (4, 3)


def test_memory_follows_the_text_not_the_announced_frames():
    frames = read_frames(text_of("1 2\n"), 0, n_frames=10**15, n_channels=2)

    assert frames.values.base is not None
    assert frames.values.base.nbytes < 100


def test_no_frames_are_read_where_none_are_asked_for():
    """The first number was written past an array without room."""
    text = np.frombuffer(b"1 2 3\n", dtype=np.uint8)

    frames = read_frames(text, 0, n_frames=0, n_channels=3)

    assert frames.values.shape == (0, 3)
    assert frames.position == 0
