"""Calls that search."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field, WithJsonSchema

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.motion import Segment
from motionary.requests import Setting, schema_of, settings_of
from motionary.search import METHODS, Index, Match, Profile
from motionary.server.answering import Answer, is_gone
from motionary.server.clip_calls import LARGEST_ID, Open
from motionary.server.segments import SegmentBody, Strict
from motionary.server.studio import Searched, Studio

By = Literal["exact", "scan", "wpca", "web"]
# Options that name segments: in calls they are segments, lists of them, or (parts, segment)
NAMES_SEGMENTS = ("also", "without", "rejected")
NAMES_PARTS = ("sources", "unlike")
PYTHON_ONLY = ("text", "profile", "without")  # options that the command line has in another form
Options = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {"anyOf": [{"$ref": f"#/components/schemas/{METHODS[by].request.__name__}"} for by in ("exact", "wpca", "web")]}
    ),
]


def options_of(by: str) -> dict[str, Setting]:
    """The options of a method that calls may have."""
    known = settings_of(METHODS[by].request)
    return {one.name: one for one in known if one.flags or one.name in PYTHON_ONLY}


def _options_schema(by: str) -> dict[str, Any]:
    """The schema of a method's request, as calls have it."""
    schema = schema_of(METHODS[by].request)
    schema["properties"] = {name: one for name, one in schema["properties"].items() if name in options_of(by)}
    for name in (*NAMES_SEGMENTS, *NAMES_PARTS):
        if name in schema["properties"]:
            item = "SegmentBody" if name in NAMES_SEGMENTS else "PartBody"
            schema["properties"][name] |= {"type": "array", "items": {"$ref": f"#/components/schemas/{item}"}}
    return schema | {"required": []}


SCHEMAS = {METHODS[by].request.__name__: _options_schema(by) for by in ("exact", "wpca", "web")}


class PartBody(Strict):
    """A segment that stands for some parts of the body; "" for the whole."""

    parts: str = ""
    segment: SegmentBody


class FileBody(Strict):
    """An uploaded file, or frames [start, stop) of it."""

    file_id: Annotated[str, Field(max_length=64)]
    start: Annotated[int | None, Field(ge=0, le=LARGEST_ID)] = None
    stop: Annotated[int | None, Field(ge=1, le=LARGEST_ID)] = None


class SearchBody(Strict):
    """What is looked for, and how."""

    query: SegmentBody | FileBody
    by: By = "exact"
    k: Annotated[int | None, Field(ge=1, le=1_000)] = 24
    options: Options = {}


class AlignmentAnswer(Open):
    rate_hz: float
    n_query: int
    pairs: list[int]


class MatchAnswer(Open):
    rank: int
    clip_id: int
    clip: str
    start: int
    stop: int
    distance: float
    mean: float
    unit: str
    method: str
    scale: float
    mirrored: bool
    tier: int
    secs: float
    labels: list[str]
    description: str
    mannequin: str
    alignment: AlignmentAnswer


class SearchAnswer(Open):
    result: str
    matches: list[MatchAnswer]
    suggested_cut: int | None
    notes: list[str]
    took_ms: float


def search_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["search"])

    @router.post("/search", response_model=SearchAnswer)
    def search(body: SearchBody, request: Request) -> Response:
        """The segments most similar to the query, nearest first."""
        return Answer(answered(studio, body, is_gone(request)))

    return router


def answered(studio: Studio, body: SearchBody, gone: Callable[[], bool]) -> dict[str, Any]:
    """The answer to a search; its result is kept for calls that refer to it."""
    with studio.indexed_bank(gone) as (bank, index):
        keywords = keywords_of(bank, body.by, body.options)
        if "k" not in keywords:
            keywords["k"] = body.k
        query = query_of(studio, bank, body.query)
        return searched(studio, bank, index, query, body.by, keywords)


def searched(
    studio: Studio,
    bank: Bank,
    index: Index,
    query: Segment | FilePath,
    by: str,
    keywords: Mapping[str, Any],
    **more: Any,
) -> dict[str, Any]:
    """One search and its answer; `more` are keywords that later searches do not take over."""
    from motionary.search import SearchResult, advice, search_bank

    notes: list[str] = []
    own = {"index": index} if by in ("exact", "scan") else {}
    begun = time.perf_counter()
    result = search_bank(bank, query, by=by, message=notes.append, **own, **{**keywords, **more})  # type: ignore[call-overload]
    took = time.perf_counter() - begun
    if isinstance(result, SearchResult):
        # The page has the options beside the matches, in words of its own
        notes += advice(result, at_least=keywords.get("at_least"), with_options=False)
    notes += getattr(result, "remarks", ())  # of a match web
    profile = more.get("profile", keywords.get("profile"))
    kept = Searched(result, query, by, dict(keywords), profile if isinstance(profile, Profile) else None)
    return {
        "result": studio.keep_result(kept),
        "matches": matches_json(studio, bank, dict(enumerate(result.matches, start=1))),
        "suggested_cut": getattr(result, "suggested_cut", None),
        "notes": notes,
        "took_ms": round(1000.0 * took, 1),
    }


def query_of(studio: Studio, bank: Bank, body: SegmentBody | FileBody) -> Segment | FilePath:
    """What is looked for: a segment of the bank, or an uploaded file."""
    if isinstance(body, SegmentBody):
        return body.of(bank)
    path = studio.upload(body.file_id).path
    if body.start is None and body.stop is None:
        return path
    return path.with_name(f"{path.name}:{body.start or 0}-{'' if body.stop is None else body.stop}")


def keywords_of(bank: Bank, by: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of a search from the options of a call: as they are, but segments for what names them."""
    known = options_of(by)
    keywords = {}
    for name, value in options.items():
        if name not in known:
            raise UsageError(f"{by} has no option {name!r}")
        if name in NAMES_SEGMENTS:
            value = [_segment(bank, one, name) for one in _list(value, name)]
        elif name in NAMES_PARTS:
            value = [_part(bank, one, name) for one in _list(value, name)]
        elif name in ("profile", "space") and not isinstance(value, str | None):
            raise UsageError(f"{name} must be a name")
        keywords[name] = value
    return keywords


def matches_json(studio: Studio, bank: Bank, matches: Mapping[int, Match]) -> list[dict[str, Any]]:
    """Matches by rank, with what a page needs to list and play them."""
    key = studio.figures.keys(bank)
    clips = {clip.id: clip for clip in bank.with_ids(sorted({one.segment.clip_id for one in matches.values()}))}
    found = []
    for rank, match in matches.items():
        clip = clips.get(match.segment.clip_id)
        if clip is None:
            continue  # removed since
        facts = match.as_json()
        facts["clip_id"] = facts.pop("id")
        found.append(
            {"rank": rank}
            | facts
            | {
                "secs": round(match.segment.n_frames * clip.frame_time, 6),
                "labels": bank.labels_on(match.segment),
                "description": clip.description,
                "mannequin": key(clip),
                "alignment": {
                    "rate_hz": match.rate_hz,
                    "n_query": match.n_query,
                    "pairs": match.alignment.pairs.ravel(),
                },
            }
        )
    return found


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise UsageError(f"{name} must be a list")
    return value


def _segment(bank: Bank, value: Any, name: str) -> Any:
    return _body(SegmentBody, value, name).of(bank)


def _part(bank: Bank, value: Any, name: str) -> tuple[str, Any]:
    part = _body(PartBody, value, name)
    return part.parts, part.segment.of(bank)


def _body(kind: Any, value: Any, name: str) -> Any:
    try:
        return kind.model_validate(value)
    except ValueError:
        wanted = "{clip_id, start, stop}" if kind is SegmentBody else "{parts, segment: {clip_id, start, stop}}"
        raise UsageError(f"an item of {name} must be {wanted}") from None
