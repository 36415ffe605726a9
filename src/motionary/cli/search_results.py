"""What `search` does with its matches, whatever the method: list, draw and keep them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from motionary.cli.opening import bank_to_change
from motionary.cli.options import View
from motionary.cli.output import counted, say
from motionary.errors import UsageError
from motionary.requests import Request, option

if TYPE_CHECKING:
    from motionary.bank import Bank, Selection
    from motionary.search import PoseSearchResult, SearchResult, WebSearchResult

RESULTS = "Results"
MOST_DRAWN = 23  # matches in a picture
MOST_IN_GRAPH = 100  # in that of a match graph, if so many are asked for


@dataclass(frozen=True, eq=False, kw_only=True)
class Results(Request):
    """What to do with matches."""

    output: Path | None = option(
        None,
        help="Draw the query and its matches: .png, .svg, .gif or .mp4.",
        flags=("-o", "--output"),
        group=RESULTS,
        basic=True,
    )
    keep: str | None = option(
        None, help="Store the matches in BANK as a selection.", metavar="NAME", group=RESULTS, basic=True
    )
    overwrite: bool = option(
        False, help="Let --keep and --keep-profile replace an existing selection or profile.", group=RESULTS
    )
    dry_run: bool = option(False, help="Show what would happen; change nothing.", group=RESULTS)
    originals: bool = option(False, help="Search the original recordings of edited clips.", group=RESULTS)
    as_json: bool = option(False, help="Print one JSON object per line.", flags=("--json",), group=RESULTS, basic=True)

    @contextmanager
    def bank(self, path: Path) -> "Iterator[Bank]":
        """The bank to search in; raises at once if the matches could not be kept."""
        with bank_to_change(path, dry_run=self.dry_run) as bank:
            bank.check_has_clips()
            if self.keep is not None and self.originals:
                raise UsageError(
                    "matches of --originals cannot be stored, because the edited clips may not have their frames"
                )
            if self.keep is not None:
                bank.check_can_keep(self.keep, overwrite=self.overwrite)
            with bank.originals() if self.originals else nullcontext():
                yield bank

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


@dataclass(frozen=True, eq=False, kw_only=True)
class StripResults(Results):
    """The same; a picture is a film strip."""

    view: View = option(
        "auto",
        help="Camera direction for -o; auto picks the one that shows the query's movement best.",
        group=RESULTS,
    )

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


@dataclass(frozen=True, eq=False, kw_only=True)
class GraphResults(Results):
    """The same; a picture is a match graph."""

    overwrite: bool = option(False, help="Let --keep replace an existing selection.", group=RESULTS)
    output: Path | None = option(
        None,
        help="Draw the match graph: .png or .svg.",
        flags=("-o", "--output"),
        group=RESULTS,
        basic=True,
    )

    def draw(self, bank: "Bank", result: "WebSearchResult", *, n_matches: int | None) -> None:
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


def tell_kept(kept: "Selection", of: str = "match") -> None:
    """Say what a selection holds, and how to refer to it."""
    say(f"{counted(kept.n_matches, of)} kept as {kept.name}; use @{kept.name} to refer to them")
