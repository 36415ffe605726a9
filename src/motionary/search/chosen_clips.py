"""Which clips are searched, from words, labels and names."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from motionary.arguments import check_is, texts
from motionary.errors import NotInBankError
from motionary.motion import Segment


class _Clip(Protocol):
    @property
    def id(self) -> int: ...


class _Library(Protocol):
    """What is asked of a bank; it is passed in, so that every way of searching can share this."""

    path: Path

    def clips(
        self, text: str = "", *, labels: str | Sequence[str] = (), names: str | Sequence[str] = ()
    ) -> Sequence[_Clip]: ...

    def clip(self, name: str | int) -> _Clip: ...

    def labelled(self, name: str) -> Iterable[Segment]: ...


def clips_to_search(
    bank: _Library,
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    *,
    without_labels: str | Sequence[str] = (),
    without_names: str | Sequence[str] = (),
    to: str = "search",
) -> set[int] | None:
    """The ids of clips with all words of `text`, all `labels`, and one of `names` (patterns, or `#12`), less those
    that carry one of `without_labels` or are called as one of `without_names` says; None if all are.

    Where there are none, the error says that there is nothing to search, or whatever is to be done with them: `to`.
    """
    check_is(text, str, called="text", meant="words")
    labels, names = texts(labels, "labels"), texts(names, "names")
    without_labels, without_names = texts(without_labels, "without_labels"), texts(without_names, "without_names")
    if not (text.strip() or labels or names or without_labels or without_names):
        return None
    found = {clip.id for clip in bank.clips(text, labels=labels)}
    if names:
        found &= _called(bank, names)
    for label in without_labels:
        found -= {segment.clip_id for segment in bank.labelled(label)}
    if without_names:
        found -= _called(bank, without_names)
    if not found:
        raise NotInBankError(
            f"{bank.path}: no clip has all these words, labels and names, so there is nothing to {to}. "
            f"`motionary ls {bank.path}` lists clips in the same words"
        )
    return found


def _called(bank: _Library, names: Sequence[str]) -> set[int]:
    numbers = [name for name in names if re.fullmatch("#[0-9]+", name)]
    patterns = [name for name in names if name not in numbers]
    found = {bank.clip(number).id for number in numbers}
    return found | {clip.id for clip in bank.clips(names=patterns)} if patterns else found
