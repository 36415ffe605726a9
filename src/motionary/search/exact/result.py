"""What a search by example answers with."""

from collections.abc import Sequence
from dataclasses import dataclass

from motionary.alignment import Match, Result, suggested_cut
from motionary.search.exact.query import Query


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of a search, and how many windows (offsets, times sides and lengths) were left to it."""

    name: str
    n_windows: int


@dataclass(frozen=True, eq=False, repr=False)
class SearchResult(Result):
    """The matches of a query, best first, and how much was looked at."""

    query: Query
    matches: tuple[Match, ...]
    n_windows: int  # offsets of all clips
    n_compared: int  # windows: offsets times sides and lengths
    n_clips: int
    stages: tuple[Stage, ...] = ()
    asked: tuple[Query, ...] = ()  # the queries that it was made into, asked together; empty if it was asked alone
    n_too_short: int = 0  # clips left out because they are shorter than the query

    @property
    def suggested_cut(self) -> int | None:
        """How many matches to keep, if their distances tell; LCSS has too few steps for means to be in order."""
        lcss = self.query.distance == "lcss"
        return suggested_cut([match.distance if lcss else match.mean for match in self.matches])


def summed_stages(results: Sequence[SearchResult]) -> tuple[Stage, ...]:
    """The stages of several searches, each with the windows of all."""
    windows: dict[str, int] = {}
    for result in results:
        for stage in result.stages:
            windows[stage.name] = windows.get(stage.name, 0) + stage.n_windows
    return tuple(Stage(name, n_windows) for name, n_windows in windows.items())
