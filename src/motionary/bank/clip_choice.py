"""Which clips a filter means."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from motionary.errors import NotInBankError
from motionary.requests import ClipFilter

if TYPE_CHECKING:
    from motionary.bank.bank import Bank


def chosen_clips(bank: "Bank", clips: ClipFilter, *, to: str = "search") -> set[int] | None:
    """The ids of the clips that a filter means; None if it means all.

    Raises if there are none; `to` says in the message what was to be done with them.
    """
    if clips.is_empty:
        return None
    found = {clip.id for clip in bank.clips(clips.text, labels=clips.labels)}
    if clips.names:
        found &= _called(bank, clips.names)
    for label in clips.without_labels:
        found -= {segment.clip_id for segment in bank.labelled(label)}
    if clips.without_names:
        found -= _called(bank, clips.without_names)
    if not found:
        raise NotInBankError(
            f"{bank.path}: no clip has all these words, labels and names, so there is nothing to {to}. "
            f"`motionary ls {bank.path}` accepts the same filters and lists matching clips"
        )
    return found


def _called(bank: "Bank", names: Sequence[str]) -> set[int]:
    numbers = [name for name in names if re.fullmatch("#[0-9]+", name)]
    patterns = [name for name in names if name not in numbers]
    found = {bank.clip(number).id for number in numbers}
    return found | {clip.id for clip in bank.clips(names=patterns)} if patterns else found
