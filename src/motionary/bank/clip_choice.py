"""Which clips a filter means."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from motionary.arguments import texts
from motionary.errors import NotInBankError
from motionary.requests import ClipFilter

if TYPE_CHECKING:
    from motionary.bank.bank import Bank

_INTERVAL = re.compile(r"[0-9.]+s?[-:][0-9.]*s?")


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
            f"{bank.path}: there is nothing to {to}: {why_none(bank, clips.text, clips.labels, clips.names)}"
        )
    return found


def why_none(bank: "Bank", text: str = "", labels: str | Sequence[str] = (), names: str | Sequence[str] = ()) -> str:
    """Why no clip has these words, labels and names: what none has, and what may have been meant."""
    if not bank.clips():
        return f"the bank contains no clips. `motionary import {bank.path} FOLDER` imports your files"
    for label in texts(labels, "labels"):
        if not bank.clips(labels=label):
            return f"no clip has the label {label!r}. {bank.like_label(label)}"
    for name in texts(names, "names"):
        if not _called(bank, [name]):
            return f"no clip has the name {name!r}. {bank.like_clip(name)}"
    for word in text.split():
        if not bank.clips(word):
            meant = "An interval follows its clip after a colon, as in walk:30-90" if _INTERVAL.fullmatch(word) else ""
            meant = "A command takes one bank" if word.endswith(".bank") else meant
            found = f"no clip has the word {word!r} in its name, labels, description or source. "
            return found + (meant or bank.like_word(word))
    return (
        f"no clip has all these words, labels and names. `motionary ls {bank.path}` takes the same ones: leave one out"
    )


def _called(bank: "Bank", names: Sequence[str]) -> set[int]:
    numbers = [name for name in names if re.fullmatch("#[0-9]+", name)]
    patterns = [name for name in names if name not in numbers]
    found = {bank.clip(number).id for number in numbers}
    return found | {clip.id for clip in bank.clips(names=patterns)} if patterns else found
