"""Answers, and the errors of users as answers."""

import json
from collections.abc import Callable
from typing import Any

from anyio import from_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from motionary.errors import NotInBankError, UserError
from motionary.files import json_value

BUSY = "another process is writing"
CONFLICT = ("cannot be undone", "is already undone", "cannot be redone", "already exists", "is not built yet")


class Problem(BaseModel):
    """What is wrong, and what to do."""

    error: str
    remedy: str | None = None


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": text,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, text in (
        (400, "Not possible: the text says why"),
        (401, "The token is missing or wrong"),
        (403, "Not from the studio's page"),
        (404, "Not in the bank"),
        (409, "Something later is in the way, or must be built before"),
        (413, "The body is too large"),
        (415, "The body is not JSON"),
        (422, "A value is not what it should be"),
        (503, "Busy; ask again"),
    )
}


class Answer(Response):
    """JSON; numbers that JSON does not have are null."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(json_value(content), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode(
            "utf-8", "replace"
        )


class Binary(Response):
    """Motions as bytes."""

    media_type = "application/octet-stream"


def is_gone(request: Request) -> Callable[[], bool]:
    """What tells, from the thread that answers a call, whether its caller has hung up."""
    return lambda: from_thread.run(request.is_disconnected)


def answer_errors(app: FastAPI, *, told: Callable[[str], str]) -> None:
    """Let errors of users become answers with the text that the command line prints; `told` takes folders out."""

    @app.exception_handler(UserError)
    def mendable(_: Request, error: UserError) -> Response:
        text = told(str(error))
        if BUSY in text:
            return Answer({"error": text, "remedy": None}, 503, headers={"retry-after": "1"})
        status = 404 if isinstance(error, NotInBankError) else 409 if any(one in text for one in CONFLICT) else 400
        return Answer({"error": text, "remedy": None}, status)

    @app.exception_handler(RequestValidationError)
    def invalid(_: Request, error: RequestValidationError) -> Response:
        text = "; ".join(f"{'.'.join(map(str, one['loc'][1:]))}: {one['msg']}".lstrip(": ") for one in error.errors())
        return Answer({"error": text, "remedy": None}, 422)

    @app.exception_handler(HTTPException)
    def refused(_: Request, error: HTTPException) -> Response:
        return Answer({"error": str(error.detail), "remedy": None}, error.status_code)

    @app.exception_handler(Exception)
    def bug(_: Request, error: Exception) -> Response:  # its traceback is printed by the server
        del error
        return Answer({"error": "an internal error; its details stand in the terminal", "remedy": None}, 500)
