"""Calls about changes: the log, undo and redo; renaming and removing clips."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from motionary.bank import Bank
from motionary.errors import BankError, NotInBankError
from motionary.server.answering import Answer
from motionary.server.changing import one_change
from motionary.server.clip_calls import LARGEST_ID, ClipId, Open
from motionary.server.segments import Strict
from motionary.server.studio import Studio


class ChangeBody(Strict):
    """A change, by its number in the log."""

    change: Annotated[int, Field(ge=1, le=LARGEST_ID)]


class RenameBody(Strict):
    """A clip's new name."""

    name: Annotated[str, Field(min_length=1, max_length=500)]


class ClipsBody(Strict):
    """Clips, by their numbers."""

    clips: Annotated[list[Annotated[int, Field(ge=1, le=LARGEST_ID)]], Field(min_length=1, max_length=10_000)]


class ChangeAnswer(Open):
    change: int
    at: str
    command: str
    rows: int
    undoes: int | None
    undone_by: int | None
    permanent: bool


class LogAnswer(Open):
    changes: list[ChangeAnswer]


class UndoAnswer(Open):
    undone: int
    change: int | None


class WrittenAnswer(Open):
    change: int | None


def log_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["changes"])

    @router.get("/log", response_model=LogAnswer)
    def log(last: Annotated[int, Query(ge=1, le=10_000)] = 200) -> Response:
        """The newest changes, newest first."""
        with studio.bank() as bank:
            return Answer({"changes": [change.as_json() for change in bank.log(last=last)]})

    @router.post("/undo", response_model=UndoAnswer)
    def undo(body: ChangeBody) -> Response:
        """Take back a change; `change` is the one that took it back. 409 if a later change is in the way."""
        with studio.bank() as bank:
            undone = bank.undo(body.change)
            return Answer({"undone": undone.id, "change": _undone_by(bank, undone.id)})

    @router.post("/redo", response_model=UndoAnswer)
    def redo(body: ChangeBody) -> Response:
        """Make a change again that was taken back."""
        with studio.bank() as bank:
            by = _undone_by(bank, body.change)
            if by is None:
                raise BankError(f"change {body.change} cannot be redone: it is not undone")
            bank.undo(by)
            return Answer({"undone": by, "change": body.change})

    @router.post("/clips/{clip_id}/rename", response_model=WrittenAnswer)
    def rename(clip_id: ClipId, body: RenameBody) -> Response:
        """Give a clip another name."""
        with studio.bank() as bank, one_change(bank, f"rename {bank.clip(clip_id).name} to {body.name}") as written:
            bank.rename(clip_id, body.name)
        return Answer({"change": written.change})

    @router.post("/clips/remove", response_model=WrittenAnswer)
    def remove(body: ClipsBody) -> Response:
        """Remove clips; undo brings them back."""
        with studio.bank() as bank:
            names = [bank.clip(one).name for one in body.clips]
            with one_change(bank, f"rm {', '.join(names[:3])}{' …' if len(names) > 3 else ''}") as written:
                bank.remove(body.clips)
        return Answer({"change": written.change})

    return router


def _undone_by(bank: Bank, change_id: int) -> int | None:
    change = bank.logged(change_id)
    if change is None:
        raise NotInBankError(f"there is no change {change_id}")
    return change.undone_by
