"""search --where without a query: segments by their properties alone."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from motionary.cli.matches import about_column, known_of, ranked
from motionary.cli.output import counted, print_json, print_table, say, waiting
from motionary.cli.search_results import MOST_DRAWN, StripResults, tell_kept
from motionary.errors import NotInBankError, UsageError
from motionary.qualities import PROPERTIES as UNITS
from motionary.requests import Request, option

ALSO = ("where", "k", "per", "labels", "names", "without_labels", "without_names")  # what needs no query
LENGTH_SECS = 2.0


@dataclass(frozen=True, eq=False, kw_only=True)
class PropertyOptions(Request):
    """What only a search without a query is asked."""

    length_secs: float | None = option(
        None,
        help="With --where and without QUERY: length of the segments, in seconds. Default: 2.",
        flags=("--length",),
        metavar="SECONDS",
        group="Number of matches",
    )

    def check_unused(self) -> None:
        """Raise if one was given with a query."""
        if self.length_secs is not None:
            raise UsageError("--length needs --where without QUERY: matches are as long as the query (see --scale)")


def is_query(bank_path: Path, text: str | None) -> bool:
    """Whether what stands in a query's place is one: a segment, a clip or a file, and no word that clips must have."""
    if not text:
        return False
    if ":" in text or text.startswith(("#", "@")) or Path(text).is_file():
        return True
    from motionary.bank import Bank

    with Bank.open(bank_path, read_only=True) as bank:
        try:
            bank.clip(text)
        except NotInBankError:
            return False
    return True


def check_needs_no_query(keywords: Collection[str], flags: Mapping[str, str]) -> None:
    """Raise for options, named with their flags, that only a query gives a meaning."""
    unused = [name for name in keywords if name not in ALSO]
    if unused:
        raise UsageError(
            f"{flags[unused[0]]} needs QUERY; without it, --where can be combined with words, -k, --length, --per, "
            "--label, --name, --without-label, --without-name, -o, --keep and --json"
        )


def search_properties(
    bank_path: Path, text: str, keywords: dict[str, Any], options: PropertyOptions, *, results: StripResults
) -> None:
    """List the segments that fulfil all conditions; `keywords` are those of `find_segments`."""
    from motionary.picture import show_matches
    from motionary.search import find_segments, keep_matches

    length_secs = LENGTH_SECS if options.length_secs is None else options.length_secs
    with results.bank(bank_path) as bank:
        with waiting("Describing clips") as told:
            result = find_segments(bank, length_secs=length_secs, text=text, **told, **keywords)
        listed = ranked(result.matches)
        names = list(next(iter(result.values.values()), {}))
        rows = [
            (rank, match, result.values[match.segment], known_of(bank, match.segment)) for rank, match in listed.items()
        ]
        if results.as_json:
            print_json(
                {
                    "rank": rank,
                    "clip": match.clip,
                    "id": match.segment.clip_id,
                    "start": match.segment.start,
                    "stop": match.segment.stop,
                    "secs": known.secs,
                    "properties": values,
                    **known.as_json(),
                }
                for rank, match, values, known in rows
            )
        elif rows:
            header = ["rank", "clip", "start", "stop", "secs", *(f"{name} {UNITS[name]}" for name in names)]
            print_table(
                [*header, about_column(known for *_, known in rows)],
                [
                    [str(rank), match.clip, str(match.segment.start), str(match.segment.stop), f"{known.secs:.2f}"]
                    + [f"{values[name]:.2f}" for name in names]
                    + [known.about]
                    for rank, match, values, known in rows
                ],
            )
        if not rows:
            labels = keywords.get("labels", ())
            among = f" in the frames labelled {' and '.join(labels)}" if labels else ""
            say(f"no segment of {length_secs:g} s{among} fulfils {' and '.join(keywords['where'])}")
        if results.output is not None and rows:
            for remark in show_matches(bank, result, results.output, n_matches=MOST_DRAWN, view=results.view):
                say(remark)
            say(f"{results.output}: {counted(min(len(result), MOST_DRAWN), 'segment')}")
        if results.keep is not None and rows:
            tell_kept(keep_matches(bank, results.keep, result.matches, overwrite=results.overwrite))
