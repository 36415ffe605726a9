"""Without any query: what recurs in a library, and what has no near match."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.search.recurring.finding import find_alone, find_groups
    from motionary.search.recurring.motifs import Motif
    from motionary.search.recurring.plain import plain_alone, plain_groups
    from motionary.search.recurring.recurrence import find_motifs, find_surprises
    from motionary.search.recurring.surprises import Surprise
    from motionary.search.recurring.windows import WindowOptions, Windows
else:
    import_on_use(__name__)

__all__ = [
    "Motif",
    "Surprise",
    "WindowOptions",
    "Windows",
    "find_alone",
    "find_groups",
    "find_motifs",
    "find_surprises",
    "plain_alone",
    "plain_groups",
]
