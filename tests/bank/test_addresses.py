"""How people write segments and selections."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.bank import Address, parse_address
from motionary.bank.addresses import ALL_RANKS, Bound, parse_bound, parse_ranks, parse_selection
from motionary.errors import UsageError


@pytest.mark.parametrize(
    ("text", "clip", "start", "stop"),
    [
        ("walk", "walk", None, None),
        ("walk:30-90", "walk", Bound(30, False), Bound(90, False)),
        ("walk:1.5s-3s", "walk", Bound(1.5, True), Bound(3, True)),
        ("walk:.5s-90", "walk", Bound(0.5, True), Bound(90, False)),
        ("walk:30-", "walk", Bound(30, False), None),
        ("walk:-90", "walk", None, Bound(90, False)),
        ("walk:-", "walk", None, None),
        ("walk: 1-2 ", "walk", Bound(1, False), Bound(2, False)),
        ("#12:1-2", "#12", Bound(1, False), Bound(2, False)),
        ("mixamo:Hips:1-2", "mixamo:Hips", Bound(1, False), Bound(2, False)),
        ("mixamo:Hips", "mixamo:Hips", None, None),
        ("walk:1.5-3", "walk:1.5-3", None, None),
        ("walk:", "walk:", None, None),
        (":1-2", ":1-2", None, None),
        ("walk:١-٢", "walk:١-٢", None, None),
    ],
)
def test_texts_that_name_segments(text: str, clip: str, start: Bound | None, stop: Bound | None) -> None:
    assert parse_address(text) == Address(clip, start, stop)


@given(clip=st.text(min_size=1), start=st.integers(0, 10**6), stop=st.integers(0, 10**6))
def test_any_name_with_an_interval_is_split_at_the_last_colon(clip: str, start: int, stop: int) -> None:
    assert parse_address(f"{clip}:{start}-{stop}") == Address(clip, Bound(start, False), Bound(stop, False))


def test_numbers_of_clips() -> None:
    assert Address("#12").clip_id == 12
    assert [Address(text).clip_id for text in ("12", "#", "#-1", "#1a", "##1", "#١")] == [None] * 6


def test_seconds_become_the_nearest_frame() -> None:
    assert [Bound(secs, True).frame(1001 / 30000) for secs in (0.0, 1.0, 3600.0)] == [0, 30, 107892]
    assert Bound(7, False).frame(1.0) == 7


@pytest.mark.parametrize("text", ["", "1.5", "-1", "nan", "infs", "1e3", "s", "9" * 400])
def test_what_is_no_bound(text: str) -> None:
    with pytest.raises(UsageError):
        parse_bound(text)


def test_nothing_names_nothing() -> None:
    with pytest.raises(UsageError, match="the clip name is empty; write CLIP or CLIP:START-STOP"):
        parse_address("")


@pytest.mark.parametrize(
    ("ranks", "inside", "outside"),
    [
        ([3], [3], [2, 4]),
        (["3"], [3], [2, 4]),
        (["1-5"], [1, 5], [6]),
        (["7-"], [7, 10**9], [6]),
        (["-4"], [1, 4], [5]),
        (["1-2,5", 9], [1, 2, 5, 9], [3, 4, 6, 8, 10]),
        ([" 2 , 4 "], [2, 4], [1, 3]),
        ([], [], [1]),
    ],
)
def test_ranks(ranks, inside, outside):
    parsed = parse_ranks(ranks)

    assert all(rank in parsed for rank in inside)
    assert not any(rank in parsed for rank in outside)


@pytest.mark.parametrize("text", ["", "x", "1.5", "-", "3-1", "0", "0-3", "1s-2s", "1,,2", "--3"])
def test_what_is_no_rank(text):
    with pytest.raises(UsageError, match=r"not a rank; "):
        parse_ranks([text])


def test_selections_with_and_without_ranks():
    assert parse_selection("@kicks") == ("kicks", ALL_RANKS)
    assert parse_selection("@high kicks:2") == ("high kicks", parse_ranks([2]))
