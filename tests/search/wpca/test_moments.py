from fractions import Fraction
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from motionary.features import Rates
from motionary.motion import Segment
from motionary.search.examples import LibrarySegment
from motionary.search.wpca.moments import Clock, character_of


class Features(SimpleNamespace):
    """What an example asks of a library with one clip."""

    rate_hz = 30.0

    def number(self, clip_id):
        return clip_id - 1


@given(
    step=st.sampled_from([Fraction(1), Fraction(4), Fraction(2), Fraction(10, 3), Fraction(4, 5), Fraction(5, 6)]),
    start=st.integers(0, 200),
    length=st.integers(30, 300),
    share=st.floats(0, 1, exclude_max=True),
)
def test_what_is_said_can_be_typed_back(step, start, length, share):
    example = LibrarySegment(Features(rates=[Rates(600, step)]), Segment(1, start, start + length))
    frame = int(share * example.n_frames)

    moment = Clock.of(example).moment(frame)

    assert character_of(example, f"{moment.secs:.2f}s") == {"frames": (frame,)}
    if step >= 1:  # of slower clips, a frame stands for several at the search rate
        assert character_of(example, str(moment.frame)) == {"frames": (frame,)}
