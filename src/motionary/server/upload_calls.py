"""Calls that take files in: to be imported, or as a query."""

import os
import re
import secrets
from pathlib import Path
from typing import Annotated
from urllib.parse import unquote

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response

from motionary.errors import UsageError
from motionary.server.answering import Answer, Binary
from motionary.server.clip_calls import Open
from motionary.server.motion_calls import BINARY
from motionary.server.studio import Studio, Upload

ENDINGS = (".bvh", ".asf", ".amc", ".zip", ".tar", ".tgz", ".csv")


class UploadAnswer(Open):
    file_id: str
    name: str
    bytes: int


def upload_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["uploads"])

    @router.post(
        "/uploads",
        response_model=UploadAnswer,
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
            }
        },
    )
    async def upload(request: Request, x_filename: Annotated[str, Header(min_length=1, max_length=1_000)]) -> Response:
        """Keep a file until the server ends; its name comes percent-encoded, and is only a name."""
        name = safe_name(unquote(x_filename))
        if not name.lower().removesuffix(".gz").endswith(ENDINGS):
            raise UsageError(f"{name} is not a motion file: upload BVH, ASF and AMC files, or archives of them")
        file_id = secrets.token_hex(8)
        folder = studio.scratch / "uploads" / file_id
        folder.mkdir(parents=True)
        path, n_bytes = folder / name, 0
        try:
            with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                async for chunk in request.stream():
                    n_bytes += len(chunk)
                    file.write(chunk)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        studio.uploads[file_id] = Upload(file_id, name, path, n_bytes)
        return Answer({"file_id": file_id, "name": name, "bytes": n_bytes})

    @router.get("/uploads/{file_id}/motion", response_class=Binary, responses=BINARY)
    def motion(file_id: str, hz: Annotated[float, Query(ge=0.1, le=1_000, allow_inf_nan=False)] = 30.0) -> Response:
        """The motion of an uploaded file, as JSON (its mannequin, frames and rate) and bytes."""
        from motionary.picture import nodes_of
        from motionary.search import motion_of_file
        from motionary.server.wire import framed

        found = motion_of_file(studio.upload(file_id).path)
        nodes = nodes_of(found, rate_hz=hz)
        facts = {
            "mannequin": studio.figures.of_made(nodes.mannequin),
            "frames": found.n_frames,
            "frame_time": found.frame_time,
            "seconds": round(found.duration_secs, 6),
        }
        return Binary(framed(facts, [nodes]))

    return router


def safe_name(name: str) -> str:
    """The last part of a path, without anything that a file system could read otherwise."""
    last = re.split(r"[/\\]", name)[-1]
    kept = "".join(letter if letter.isprintable() and letter not in ':*?"<>|' else "_" for letter in last)
    kept = kept.encode("utf-8", "replace").decode()[:120].lstrip(". ") if len(kept) <= 120 else kept[-120:].lstrip(". ")
    if not Path(kept).suffix:
        raise UsageError("a file needs a name with an ending, such as take.bvh")
    return kept
