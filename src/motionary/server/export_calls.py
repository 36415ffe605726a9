"""Calls that export: a file or, of several segments, an archive, as a download."""

import shutil
import zipfile
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from fastapi.responses import FileResponse, Response
from pydantic import Field
from starlette.background import BackgroundTask

from motionary.bank import Bank, ExportOptions, export
from motionary.errors import UsageError
from motionary.motion import Segment, frame_time_of
from motionary.server.clip_calls import LARGEST_ID
from motionary.server.segments import SegmentBody, Strict, segments_of
from motionary.server.studio import Studio

MOST = 1_000
FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A BVH or GLB file, or a zip archive of several, as a download",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


class ExportBody(Strict):
    """What is exported, and how."""

    segments: Annotated[list[SegmentBody], Field(max_length=MOST)] = []
    selection: Annotated[str | None, Field(max_length=200)] = None
    ranks: Annotated[list[Annotated[int, Field(ge=1, le=10**9)]] | None, Field(max_length=MOST)] = None
    format: Literal["bvh", "glb"] = "bvh"
    onto: Literal["reference"] | Annotated[int, Field(ge=1, le=LARGEST_ID)] | None = None  # or a clip's number
    mirror: bool = False
    as_query: bool = False
    query_clock: bool = False
    recentre: bool = False
    rate_hz: Annotated[float | None, Field(ge=0.1, le=1_000, allow_inf_nan=False)] = None


def export_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["export"])

    @router.post("/export", response_class=FileResponse, responses=FILE)
    def export_files(body: ExportBody) -> Response:
        """One segment as a file, several as a zip archive of files."""
        options = ExportOptions(
            format=body.format,
            onto=f"#{body.onto}" if isinstance(body.onto, int) else body.onto,
            mirrored=body.mirror,
            as_query=body.as_query,
            on_query_clock=body.query_clock,
            recentred=body.recentre,
            frame_time=None if body.rate_hz is None else frame_time_of(body.rate_hz),
        )
        folder = Path(mkdtemp(dir=studio.scratch))
        try:
            with studio.bank() as bank:
                wanted = _wanted(bank, body)
                output = folder / "motions"
                output.mkdir()
                if isinstance(wanted, str) or len(wanted) > 1:
                    written = export(bank, wanted, output, options=options)
                else:
                    name = f"{_file_name(bank.segment_name(wanted[0]))}.{body.format}"
                    written = export(bank, wanted, output / name, options=options)
            files = sorted(path for path in output.rglob("*") if path.is_file())
            path = written[0].path
            if len(files) > 1:
                path = folder / f"{path.stem if len(written) == 1 else 'motions'}.zip"  # of one BVH: with its credit
                with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                    for file in files:
                        archive.write(file, file.relative_to(output).as_posix())
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return FileResponse(
            path,
            filename=path.name,
            media_type="application/octet-stream",
            background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True),
        )

    return router


def _wanted(bank: Bank, body: ExportBody) -> list[Segment] | str:
    """Segments, or the matches of a selection."""
    if (body.selection is None) == (not body.segments):
        raise UsageError("give either segments or a selection")
    if body.selection is None:
        return segments_of(bank, body.segments)
    bank.selection(body.selection)  # raises if there is none
    ranks = "" if body.ranks is None else f":{','.join(map(str, body.ranks))}"
    return f"@{body.selection}{ranks}"


def _file_name(name: str) -> str:
    """A name for a file: what file systems do not take is left out."""
    return (
        "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)[:120].lstrip(".") or "motion"
    )
