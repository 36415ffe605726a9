"""Operations learnt from clips of a bank: a style from two of them, joint limits from any number."""

from collections.abc import Sequence

from motionary.bank import Bank, check_is_bank
from motionary.edit.limiting import Limits, learn_limits
from motionary.edit.operation import Operation
from motionary.edit.style_learning import learn_style
from motionary.edit.subjects import subject_of_clip
from motionary.errors import UsageError
from motionary.motion import Segment

LEARNT = ("style", "limits")


def learn_operation(
    bank: Bank, name: str, segments: Sequence[str | Segment], *, bands: int = 4, share: float = 0.999
) -> Operation:
    """An operation learned from segments: `style` from a neutral and a styled one, in so many frequency `bands`, or
    `limits` from any number, such that this `share` of their frames lies within them."""
    check_is_bank(bank)
    if name not in LEARNT:
        raise UsageError(f"{name!r} cannot be learnt; {' and '.join(LEARNT)} can")
    subjects = []
    for segment in bank.segments_of(segments):
        subjects.append(subject_of_clip(bank, bank.clip(segment.clip_id)).slice(segment.start, segment.stop))
    if name == "limits":
        return Limits(limits=learn_limits(subjects, share=share))
    if len(subjects) != 2:
        raise UsageError(f"a style is learnt from two segments, a neutral and a styled one, not from {len(subjects)}")
    return learn_style(subjects[0], subjects[1], bands=bands)
