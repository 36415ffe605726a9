"""Calls about long work: starting and ending it, and the stream of events."""

import os
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse
from pydantic import Field

from motionary.errors import UsageError
from motionary.server.answering import Answer
from motionary.server.clip_calls import Open
from motionary.server.job_kinds import check_job
from motionary.server.jobs import State
from motionary.server.segments import Strict
from motionary.server.studio import Studio

EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events: `job`, as GET /jobs lists it (results: GET /jobs/{id}), and `bank`",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


class JobBody(Strict):
    """A piece of work."""

    kind: Annotated[str, Field(max_length=50)]
    arguments: dict[str, Any] = {}


class ImportBody(Strict):
    """Uploaded files that become clips, and the words of `motionary import`."""

    file_ids: Annotated[list[Annotated[str, Field(max_length=64)]], Field(min_length=1, max_length=5_000)]
    options: dict[str, Any] = {}


class JobAnswer(Open):
    id: str
    kind: str
    state: State
    done: int
    total: int
    messages: list[str]
    error: str | None


class EndedJobAnswer(JobAnswer):
    result: Any


class JobList(Open):
    jobs: list[JobAnswer]


def job_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["jobs"])

    @router.get("/jobs", response_model=JobList)
    def jobs() -> Response:
        """All jobs, the newest last."""
        return Answer({"jobs": [job.as_json() for job in studio.jobs.all()]})

    @router.post("/jobs", response_model=JobAnswer)
    def start(body: JobBody) -> Response:
        """Start long work; `/events` tells how far it is."""
        if body.kind == "import":
            raise UsageError("upload the files, and import them through /api/import")
        check_job(body.kind, body.arguments)
        return Answer(studio.jobs.start(body.kind, body.arguments).as_json())

    @router.get("/jobs/{job_id}", response_model=EndedJobAnswer)
    def job(job_id: str) -> Response:
        """One job, with its result."""
        return Answer(studio.jobs.one(job_id).as_json(with_result=True))

    @router.delete("/jobs/{job_id}", response_model=JobAnswer)
    def cancel(job_id: str) -> Response:
        """End a job."""
        return Answer(studio.jobs.cancel(job_id).as_json())

    @router.post("/import", response_model=JobAnswer)
    def import_files(body: ImportBody) -> Response:
        """Import uploaded files, together: an AMC file finds its skeleton among them. A job, with a report."""
        check_job("import", body.options)
        uploads = [studio.upload(file_id) for file_id in body.file_ids]
        folder = Path(mkdtemp(dir=studio.scratch))
        for upload in uploads:
            target = folder / upload.name
            if target.exists():
                shutil.rmtree(folder)
                raise UsageError(f"two files are called {upload.name}; import them one after the other")
            os.link(upload.path, target)
        return Answer(studio.jobs.start("import", body.options | {"folder": str(folder)}).as_json())

    @router.get("/events", response_class=StreamingResponse, responses=EVENTS)
    async def events() -> Response:
        """Events as they happen, for as long as the page listens."""
        return StreamingResponse(studio.events.stream(), media_type="text/event-stream")

    return router
