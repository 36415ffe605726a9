"""Without any query: what recurs in a library, and what has no near match."""

from motionary.search.recurring.finding import find_alone, find_groups
from motionary.search.recurring.motifs import Motif
from motionary.search.recurring.plain import plain_alone, plain_groups
from motionary.search.recurring.recurrence import find_motifs, find_surprises
from motionary.search.recurring.surprises import Surprise
from motionary.search.recurring.windows import WindowOptions, Windows

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
