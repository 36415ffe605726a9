import pytest

from motionary.motion import Segment


def test_a_segment_is_half_open():
    assert Segment(3, 10, 25).n_frames == 15


@pytest.mark.parametrize(("start", "stop"), [(5, 5), (6, 5), (-1, 5)])
def test_a_segment_holds_at_least_one_frame(start, stop):
    with pytest.raises(ValueError, match=rf"clip 3 has no frames \[{start}, {stop}\)"):
        Segment(3, start, stop)


@pytest.mark.parametrize(
    ("other", "frames"),
    [
        (Segment(1, 0, 10), 0),  # touches only
        (Segment(1, 0, 11), 1),
        (Segment(1, 12, 15), 3),
        (Segment(1, 0, 99), 10),
        (Segment(1, 20, 30), 0),
        (Segment(2, 10, 20), 0),  # another clip
    ],
)
def test_overlap_counts_frames_that_both_hold(other, frames):
    segment = Segment(1, 10, 20)

    assert segment.overlap(other) == frames
    assert other.overlap(segment) == frames


def test_segments_sort_by_clip_then_start_then_stop():
    shuffled = [Segment(2, 0, 1), Segment(1, 5, 9), Segment(1, 5, 7), Segment(1, 0, 9)]

    assert sorted(shuffled) == [Segment(1, 0, 9), Segment(1, 5, 7), Segment(1, 5, 9), Segment(2, 0, 1)]
