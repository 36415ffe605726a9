"""Calls about selections: named sets of matches, which the page fills from its basket."""

from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import Response
from pydantic import Field

from motionary.bank import Bank, Selection
from motionary.errors import UsageError
from motionary.search import Match, keep_matches, kept_matches, match_by_hand
from motionary.server.answering import Answer
from motionary.server.changing import one_change
from motionary.server.clip_calls import Open
from motionary.server.search_calls import MatchAnswer, matches_json
from motionary.server.segments import SegmentBody, Strict
from motionary.server.studio import Studio

MOST = 10_000
Name = Annotated[str, Field(min_length=1, max_length=200)]
NameInPath = Annotated[str, Path(min_length=1, max_length=200)]
Ranks = Annotated[list[Annotated[int, Field(ge=1, le=10**9)]], Field(max_length=MOST)]


class ItemBody(Strict):
    """A match of an earlier result by its rank, or a segment by itself: of both, the segment if the result is gone."""

    result: str | None = None
    rank: Annotated[int | None, Field(ge=1, le=10**9)] = None
    segment: SegmentBody | None = None


class KeepBody(Strict):
    """What is kept under which name: all or some matches of a result, or items from anywhere."""

    name: Name
    result: str | None = None
    ranks: Ranks | None = None
    items: Annotated[list[ItemBody] | None, Field(max_length=MOST)] = None
    overwrite: bool = False


class ThinBody(Strict):
    """Which ranks are dropped, or kept."""

    drop: Ranks | None = None
    keep: Ranks | None = None


class NameBody(Strict):
    """A new name."""

    name: Name


class SelectionAnswer(Open):
    selection: str
    matches: int
    method: str
    query: dict[str, Any] | None
    asked: dict[str, Any]
    kept_at: str


class SelectionList(Open):
    selections: list[SelectionAnswer]


class SelectionMatches(Open):
    selection: SelectionAnswer
    matches: list[MatchAnswer]


class SelectionChange(Open):
    change: int | None


def selection_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(prefix="/selections", tags=["selections"])

    @router.get("", response_model=SelectionList)
    def selections() -> Response:
        """All selections, by name."""
        with studio.bank() as bank:
            return Answer({"selections": [_facts(one) for one in bank.selections()]})

    @router.get("/{name}", response_model=SelectionMatches)
    def selection(name: NameInPath) -> Response:
        """The matches of one selection."""
        with studio.bank() as bank:
            found = bank.selection(name)
            matches = kept_matches(bank, name) if found.n_matches else {}
            return Answer({"selection": _facts(found), "matches": matches_json(studio, bank, matches)})

    @router.post("", response_model=SelectionChange)
    def keep(body: KeepBody) -> Response:
        """Keep matches or segments under a name."""
        if (body.result is None) == (body.items is None):
            raise UsageError("give either a result or items")
        with studio.bank() as bank, one_change(bank, f"keep selection {body.name}") as written:
            if body.result is not None:
                keep_matches(bank, body.name, studio.result(body.result).result, overwrite=body.overwrite)
                if body.ranks is not None:
                    bank.thin_selection(body.name, keep=body.ranks)
            else:
                found = []
                for item in body.items or ():
                    found.append(_match(studio, bank, item))
                keep_matches(bank, body.name, found, overwrite=body.overwrite)
        return Answer({"change": written.change})

    @router.post("/{name}/thin", response_model=SelectionChange)
    def thin(name: NameInPath, body: ThinBody) -> Response:
        """Take matches out of a selection; the others keep their ranks."""
        if (body.drop is None) == (body.keep is None):
            raise UsageError("give either ranks to drop or ranks to keep")
        with studio.bank() as bank, one_change(bank, f"thin out selection {name}") as written:
            bank.thin_selection(name, drop=body.drop, keep=body.keep)
        return Answer({"change": written.change})

    @router.post("/{name}/rename", response_model=SelectionChange)
    def rename(name: NameInPath, body: NameBody) -> Response:
        """Give a selection another name."""
        with studio.bank() as bank, one_change(bank, f"rename selection {name} to {body.name}") as written:
            bank.rename_selection(name, body.name)
        return Answer({"change": written.change})

    @router.delete("/{name}", response_model=SelectionChange)
    def remove(name: NameInPath) -> Response:
        """Remove a selection; its clips stay."""
        with studio.bank() as bank, one_change(bank, f"rm selection {name}") as written:
            bank.remove_selections([name])
        return Answer({"change": written.change})

    return router


def _match(studio: Studio, bank: Bank, item: ItemBody) -> Match:
    if item.result is not None and item.rank is not None:
        if item.segment is None or studio.has_result(item.result):
            return studio.match(item.result, item.rank)
    elif item.segment is None:
        raise UsageError("an item is a segment, or a result and a rank")
    return match_by_hand(item.segment.of(bank), mirrored=item.segment.mirrored)


def _facts(selection: Selection) -> dict[str, Any]:
    facts = selection.as_json()
    query = facts["query"]
    return facts | {"query": query and {"clip_id": query["id"], "start": query["start"], "stop": query["stop"]}}
