"""The server as an application: the calls of the page, its files, and the guard before them."""

from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.responses import Response
from starlette.types import ASGIApp

from motionary.server.answering import PROBLEMS, Problem, answer_errors
from motionary.server.blend_calls import blend_calls
from motionary.server.clip_calls import clip_calls
from motionary.server.edit_calls import edit_calls
from motionary.server.export_calls import export_calls
from motionary.server.feet_calls import feet_calls
from motionary.server.follow_calls import follow_calls
from motionary.server.graph_calls import graph_calls
from motionary.server.guard import API, Guard
from motionary.server.job_calls import job_calls
from motionary.server.label_calls import label_calls
from motionary.server.log_calls import log_calls
from motionary.server.motion_calls import motion_calls
from motionary.server.page_files import PageFiles
from motionary.server.search_calls import SCHEMAS, PartBody, search_calls
from motionary.server.selection_calls import selection_calls
from motionary.server.space_calls import space_calls
from motionary.server.studio import CallerGone, Studio
from motionary.server.transition_calls import transition_calls
from motionary.server.upload_calls import upload_calls

GONE = 499  # which nobody sees
CALLS = (
    *(clip_calls, motion_calls, search_calls, follow_calls, label_calls, selection_calls, log_calls),
    *(export_calls, upload_calls, job_calls, feet_calls, blend_calls, transition_calls, graph_calls, edit_calls),
    space_calls,
)


def build_api(studio: Studio) -> FastAPI:
    """The calls alone, and their schema."""
    app = FastAPI(title="Motionary studio", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    answer_errors(app, told=studio.without_folders)
    app.add_exception_handler(CallerGone, lambda *_: Response(status_code=GONE))
    everything = APIRouter(prefix=API.rstrip("/"), responses=PROBLEMS)
    for calls in CALLS:
        everything.include_router(calls(studio))
    app.include_router(everything)
    return app


def api_schema(studio: Studio) -> dict[str, Any]:
    """The OpenAPI schema of the calls, with the options of searches; the server itself does not show it."""
    found = build_api(studio).openapi()
    found["components"]["schemas"] |= {
        **SCHEMAS,
        "Problem": Problem.model_json_schema(),
        "PartBody": PartBody.model_json_schema(ref_template="#/components/schemas/{model}") | {"$defs": {}},
    }
    return found


def build_app(studio: Studio, *, token: str, port: int, files: Path | None = None) -> ASGIApp:
    """The whole server of a bank: calls and files, guarded."""
    return Guard(PageFiles(build_api(studio), files), token=token, port=port)
