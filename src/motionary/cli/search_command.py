"""search: one command, whose options depend on the method."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperCommand

from motionary.cli.followup import FollowUp
from motionary.cli.help_pages import finish_help
from motionary.cli.options import BankPath
from motionary.cli.output import check_pictures, check_view
from motionary.cli.request_command import RequestCommand, add_options, options_named, request_of, values_of
from motionary.cli.search_exact import search_exact
from motionary.cli.search_properties import PropertyOptions, check_needs_no_query, is_query, search_properties
from motionary.cli.search_results import GraphResults, StripResults
from motionary.cli.search_web import search_through_web
from motionary.cli.search_wpca import search_wpca
from motionary.errors import UsageError
from motionary.requests import Request, Setting, settings_of
from motionary.search import METHODS, ExactRequest, PoseRequest, WebRequest

BY = "--by"
REQUESTS: dict[str, tuple[type[Request], ...]] = {
    "exact": (ExactRequest, PropertyOptions, FollowUp, StripResults),
    "scan": (ExactRequest, PropertyOptions, FollowUp, StripResults),
    "wpca": (PoseRequest, StripResults),
    "web": (WebRequest, GraphResults),
}
OF_DISTANCES = {  # options that only some distances have
    "window": ("dtw", "lcss"),
    "at_least": ("dtw", "lcss"),  # it widens the window
    "tolerance": ("lcss",),
    "tolerances": ("lcss",),
}

QueryText = Annotated[
    str | None,
    typer.Argument(
        metavar="QUERY",
        help="CLIP:START-STOP in frames or seconds (1.5s-3s), or a file: take.bvh:START-STOP. @SELECTION and "
        "label:NAME mean several examples. Omit with --pose; can be omitted with --where.",
    ),
]
Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="[WORD…]", help="Only clips with these words in their name, labels, description or source."),
]
Poses = Annotated[
    list[str] | None,
    typer.Option(
        "--pose",
        metavar="CLIP:FRAME@SECONDS",
        help=(
            "Key pose, instead of QUERY: a frame of a clip or file, and its time. Give two or more, in order of time."
        ),
        rich_help_panel="Query",
        hidden=True,
    ),
]
By = Annotated[
    Literal["exact", "scan", "wpca", "web"],
    typer.Option(
        help=(
            "Search method. exact finds the nearest segments; scan does the same without an index, slowly; wpca "
            "searches in a pose space, fast but approximate; web also follows matches of matches in a match web."
        )
    ),
]


class SearchCommand(RequestCommand):
    """The command for exact search; with `--by`, that of another method."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> typer.Context:
        by = _method_in(args)
        if by in REQUESTS:
            _check_flags(args, by)
        if by in ("wpca", "web"):
            return _command_for(by).make_context(info_name, args, parent, **extra)  # type: ignore[return-value]
        return super().make_context(info_name, args, parent, **extra)  # type: ignore[return-value]


def search(
    context: typer.Context,
    bank_path: BankPath,
    query: QueryText = None,
    words: Words = None,
    pose: Poses = None,
    by: By = "exact",
) -> None:
    """List the segments most similar to QUERY, nearest first."""
    _check_combination(context, by)
    if by in ("exact", "scan") and not pose:
        options = request_of(context, PropertyOptions)
        asked = values_of(context, ExactRequest)
        if "where" in asked and not is_query(bank_path, query):
            text = " ".join([query, *(words or [])] if query else words or [])
            flags = {
                one.name: one.flag for request in (ExactRequest, FollowUp) for one in settings_of(request) if one.flags
            }
            check_needs_no_query([*asked, *values_of(context, FollowUp)], flags)
            check_pictures((context.params["output"], True))
            search_properties(bank_path, text, asked, options, results=request_of(context, StripResults))
            return
        options.check_unused()
    shown, words = _shown(query, pose or [], words or [])
    if by == "web":
        answer: Callable[..., None] = partial(search_through_web, results=request_of(context, GraphResults))
        check_pictures((context.params["output"], False))
    else:
        results = request_of(context, StripResults)
        check_view(results.view, results.output)
        check_pictures((results.output, True), (context.params.get("heat"), False))
        answer = partial(search_wpca, results=results)
        if by != "wpca":
            answer = partial(search_exact, by=by, follow=request_of(context, FollowUp), results=results)
    keywords = values_of(context, METHODS[by].request)
    if words:
        keywords["text"] = " ".join(words)
    with options_named(METHODS[by].request):
        answer(bank_path, shown, keywords)


def search_for(by: str) -> Callable[..., None]:
    """`search` with the options of one method."""
    return add_options(search, *REQUESTS[by])


def epilog_for(by: str) -> str:
    """What follows the help page of a method."""
    others = [f"{BY} {name}" for name in METHODS if REQUESTS[name] != REQUESTS[by]]
    return (
        f"`motionary search{'' if by == 'exact' else f' {BY} {by}'} --help-all` lists all options of this method. "
        f"Other methods have their own: `motionary search {' --help`, `motionary search '.join(others)} --help`."
    )


@cache
def _command_for(by: str) -> TyperCommand:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command(name="search", cls=RequestCommand, epilog=epilog_for(by))(search_for(by))
    command = typer.main.get_command(app)
    for one in command.params:
        one.default = by if one.name == "by" else one.default
    finish_help(command, f"search {BY} {by}")
    return command  # type: ignore[return-value]


def _method_in(args: Sequence[str]) -> str:
    """The method that a command line names."""
    by = next(iter(METHODS))
    for n, word in enumerate(args):
        if word == "--":
            break
        if word == BY and n + 1 < len(args):
            by = args[n + 1]
        elif word.startswith(f"{BY}="):
            by = word.partition("=")[2]
    return by


def _check_flags(args: Sequence[str], by: str) -> None:
    """Raise for options of other methods: what to do instead, or where they belong."""
    own = {flag for request in REQUESTS[by] for one in settings_of(request) for flag in one.flags}
    foreign: dict[str, Setting] = {
        flag: one
        for requests in REQUESTS.values()
        for request in requests
        for one in settings_of(request)
        for flag in one.flags
        if flag not in own
    }
    typed = args[: args.index("--")] if "--" in args else args
    found = {one.name: one for word in typed if (one := foreign.get(word.partition("=")[0])) is not None}
    if not found:
        return
    advice = METHODS[by].advice
    said = list(dict.fromkeys(advice[name] for name in found if name in advice))
    said += [f"{one.flag} belongs to {BY} {_methods_with(one)}" for name, one in found.items() if name not in advice]
    raise UsageError(f"{BY} {by} has no {' or '.join(one.flag for one in found.values())}; {'; '.join(said)}")


def _methods_with(setting: Setting) -> str:
    names = [name for name in METHODS if name != "scan" and any(setting in settings_of(one) for one in REQUESTS[name])]
    return f" or {BY} ".join(names)


def _check_combination(context: typer.Context, by: str) -> None:
    """Raise for options that do nothing with the others that were given."""
    if METHODS[by].request is not ExactRequest:
        return
    values = values_of(context, ExactRequest)
    distance = values.get("distance", "dtw")
    flags = {one.name: one.flag for one in settings_of(ExactRequest) if one.flags}
    for name, distances in OF_DISTANCES.items():
        if name in values and distance not in distances:
            raise UsageError(f"{flags[name]} needs --distance {' or '.join(distances)}, not {distance}")
    if "unlike_weight" in values and "unlike" not in values:
        raise UsageError("--unlike-weight needs --unlike")


def _shown(query: str | None, poses: list[str], words: list[str]) -> tuple[str | list[str], list[str]]:
    """What to look for, and the words of clips; with key poses, what stands in the query's place is such a word."""
    if poses:
        if query and (":" in query or query.startswith(("#", "@"))):
            raise UsageError(f"use either QUERY or --pose: {query!r} is a query")
        return poses, [query, *words] if query else words
    if not query:
        raise UsageError(
            "QUERY is missing: give CLIP:START-STOP, a motion file, key poses with --pose, or conditions with --where"
        )
    return query, words
