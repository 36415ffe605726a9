"""Searching a bank, by any method."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, overload

from motionary.bank import Bank, check_is_bank
from motionary.library import one_snapshot
from motionary.requests import Progress, Request, keywords_of, settings_of
from motionary.search.requests import METHODS, ExactRequest, SearchRequest
from motionary.search.requests.search_request import merged

if TYPE_CHECKING:
    from motionary.search.exact import Query, SearchResult
    from motionary.search.examples import Shown
    from motionary.search.match_web import WebSearchResult
    from motionary.search.wpca import PoseQuery, PoseSearchResult


@overload
def search_bank(
    bank: Bank, query: "Query | Shown | ExactRequest", *, by: Literal["exact", "scan"] = "exact", **keywords: Any
) -> "SearchResult": ...


@overload
def search_bank(
    bank: Bank, query: "PoseQuery | Shown", *, by: Literal["wpca"], **keywords: Any
) -> "PoseSearchResult": ...


@overload
def search_bank(bank: Bank, query: "Shown", *, by: Literal["web"], **keywords: Any) -> "WebSearchResult": ...


@keywords_of(ExactRequest)
@one_snapshot
def search_bank(
    bank: Bank,
    query: Any,
    *,
    by: str = "exact",
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
    **keywords: Any,
) -> "SearchResult | PoseSearchResult | WebSearchResult":
    """The segments of the bank most like the query, nearest first.

    A query is a segment, a motion file (by its path, and an interval after a colon), a motion, a list of key poses
    (`"walk:30@0.5"`, or `KeyPose`), or the query of an earlier result. The other keywords are the fields of the
    method's request; these are those of `ExactRequest`. `sources` takes body parts from elsewhere:
    `{"arms": "wave:0-60"}`. Segments like `unlike` rank lower, in the whole body or in parts.

    A `profile` that was learned from judgements (or its name in the bank, or its file) turns one query into several.
    Nothing is matched that begins where matches or segments of `without` begin, or close to that.

    Only clips that `bank.clips(text, labels=labels, names=names)` lists are searched, without those that carry one of
    `without_labels` or match one of `without_names`. With `at_least`, the window is widened until there are as many
    matches; the window of the result's query says how far. If no `index` is given, it is built or brought up to date;
    `progress` and `message` follow that. If you search often, build it once (`build_index`). `by="scan"` compares
    every window, for the same result.

    `by="wpca"` and `by="web"` are `search_pose_space` and `search_web`, with their keywords and results.
    """
    check_is_bank(bank)
    if isinstance(query, SearchRequest):
        by = by if isinstance(query, METHODS[by].request) else _method_of(query)
    method = METHODS[by]
    resources = {name: keywords.pop(name) for name in method.resources if name in keywords}
    known = {one.name for one in settings_of(method.request)}
    given = {name: value for name, value in keywords.items() if name in known or not _says_nothing(value)}
    # An earlier query's limits stay; of a new one, at_least says how many matches are enough
    if given.get("at_least") is not None and "k" not in given and not isinstance(query, Request):
        given["k"] = given["at_least"] if given.get("within") is None else None
    request = merged(method.request, query, given, called=method.name_in_python, also=method.resources)
    return method(bank, request, **resources, progress=Progress(progress, message))


def _method_of(request: SearchRequest) -> str:
    return next(name for name, method in METHODS.items() if isinstance(request, method.request))


def _says_nothing(value: object) -> bool:
    """Whether a keyword has the value that stands for its absence in every request."""
    return value is None or (isinstance(value, str | tuple | list) and not value)
