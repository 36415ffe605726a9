"""Which clips of a bank are meant, by words, labels and names."""

from collections.abc import Sequence
from dataclasses import dataclass

from motionary.arguments import texts
from motionary.requests.options import argument, option
from motionary.requests.request import Request

CLIPS = "Clips to search"


@dataclass(frozen=True, eq=False, kw_only=True)
class ClipFilter(Request):
    """Clips with all words of `text`, all `labels` and one of `names` (patterns, or `#12`), except those that carry one
    of `without_labels` or match one of `without_names`. `Bank.clip_ids` finds them."""

    text: str = argument("", help="Words that must occur in a clip's name, labels, description or source.")
    labels: tuple[str, ...] = option(
        (),
        help="Only clips with this label. Can be repeated.",
        flags=("--label", "-l"),
        metavar="LABEL",
        group=CLIPS,
        basic=True,
    )
    names: tuple[str, ...] = option(
        (),
        help="Only clips whose name matches: 'walk*', or #12. Can be repeated.",
        flags=("--name", "-n"),
        metavar="PATTERN",
        group=CLIPS,
        basic=True,
    )
    without_labels: tuple[str, ...] = option(
        (),
        help="Leave out clips with this label. Can be repeated.",
        flags=("--without-label",),
        metavar="LABEL",
        group=CLIPS,
    )
    without_names: tuple[str, ...] = option(
        (),
        help="Leave out clips whose name matches. Can be repeated.",
        flags=("--without-name",),
        metavar="PATTERN",
        group=CLIPS,
    )

    @classmethod
    def of(cls, text: str = "", labels: str | Sequence[str] = (), names: str | Sequence[str] = ()) -> "ClipFilter":
        """A filter by what is wanted; a single label or name need not be in a list."""
        return ClipFilter(text=text, labels=texts(labels, "labels"), names=texts(names, "names"))

    @property
    def is_empty(self) -> bool:
        """Whether it means all clips."""
        chosen = (self.labels, self.names, self.without_labels, self.without_names)
        return not (self.text.strip() or any(chosen))
