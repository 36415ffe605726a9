"""The server as an application: the calls of the page, its files, and the guard before them."""

from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp

from motionary.server.answering import PROBLEMS, answer_errors
from motionary.server.clip_calls import clip_calls
from motionary.server.guard import API, Guard
from motionary.server.motion_calls import motion_calls
from motionary.server.page_files import PageFiles
from motionary.server.search_calls import search_calls
from motionary.server.studio import Studio

CALLS = (clip_calls, motion_calls, search_calls)


def build_api(studio: Studio) -> FastAPI:
    """The calls alone, and their schema."""
    app = FastAPI(title="Motionary studio", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    answer_errors(app, bank_path=str(studio.banks.path), bank_name=studio.name)
    everything = APIRouter(prefix=API.rstrip("/"), responses=PROBLEMS)
    for calls in CALLS:
        everything.include_router(calls(studio))
    app.include_router(everything)
    return app


def build_app(studio: Studio, *, token: str, port: int, files: Path | None = None) -> ASGIApp:
    """The whole server of a bank: calls and files, guarded."""
    return Guard(PageFiles(build_api(studio), files), token=token, port=port)
