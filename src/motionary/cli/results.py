"""What every way of searching does with what it has found: listed, drawn, kept."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionary.cli.opening import bank_to_change
from motionary.cli.options import View
from motionary.cli.output import counted, progress_bar, say

if TYPE_CHECKING:
    from motionary.bank import Bank, Selection
    from motionary.search import PoseSearchResult, SearchResult, WebSearchResult

MOST_DRAWN = 23  # matches in a picture
MOST_IN_GRAPH = 100  # in that of a match graph, if they are asked for


@dataclass(frozen=True)
class Results:
    """What is to be done with them."""

    output: Path | None
    view: View
    keep: str | None  # as a selection of this name
    overwrite: bool
    dry_run: bool
    as_json: bool

    @contextmanager
    def bank(self, path: Path) -> "Iterator[Bank]":
        """The bank to search in; what cannot be kept in it is told before anybody waits."""
        with bank_to_change(path, dry_run=self.dry_run) as bank:
            if self.keep is not None:
                bank.check_can_keep(self.keep, overwrite=self.overwrite)
            yield bank

    def draw(
        self, bank: "Bank", result: "SearchResult | PoseSearchResult", *, ranks: Sequence[int] | None = None
    ) -> None:
        """The query above its matches, or above those with these ranks, if a picture is asked for."""
        if self.output is None:
            return
        from motionary.picture import show_matches

        for remark in show_matches(bank, result, self.output, ranks=ranks, n_matches=MOST_DRAWN, view=self.view):
            say(remark)
        n_matches = len(result.matches if ranks is None else ranks)
        say(f"{self.output}: the query and {min(n_matches, MOST_DRAWN)} of its matches")

    def draw_graph(self, bank: "Bank", result: "WebSearchResult", *, n_matches: int | None) -> None:
        """The match graph of so many matches, if a picture is asked for."""
        if self.output is None:
            return
        from motionary.picture import show_match_graph

        n_drawn = min(len(result.matches), MOST_IN_GRAPH if n_matches else MOST_DRAWN)
        for remark in show_match_graph(bank, result, self.output, n_matches=n_drawn):
            say(remark)
        n_found = result.n_found
        more = f" of {n_found:,}; -k draws up to {MOST_IN_GRAPH}" if n_drawn < min(n_found, MOST_IN_GRAPH) else ""
        say(f"{self.output}: the match graph of {counted(n_drawn, 'match')}{more}")

    def keep_all(
        self,
        bank: "Bank",
        result: "SearchResult | PoseSearchResult | WebSearchResult",
        *,
        ranks: Sequence[int] | None = None,
    ) -> None:
        """Keep the matches under their ranks, or those with these ranks, if that is asked for."""
        if self.keep is None:
            return
        from motionary.search import keep_matches

        with bank.change(f"keep selection {self.keep}"):
            keep_matches(bank, self.keep, result, overwrite=self.overwrite)
            if ranks is not None and len(ranks) < len(result.matches):
                bank.thin_selection(self.keep, keep=list(ranks))
        tell_kept(bank.selection(self.keep))


@contextmanager
def waiting(what: str) -> Iterator[dict[str, Any]]:
    """A bar while it takes long: what searches and builds are told to hear of their progress."""
    with progress_bar(what) as step:
        yield {"progress": lambda done, total: step(done, total, ""), "message": say}


def tell_kept(kept: "Selection", of: str = "match") -> None:
    """Say what a selection holds, and how it is named from now on."""
    say(f"{counted(kept.n_matches, of)} kept as {kept.name}: @{kept.name} stands for them")
