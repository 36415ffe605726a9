"""Edits as pictures: each segment before and, below it, after."""

from collections.abc import Sequence
from pathlib import Path

from motionary.arguments import check_is
from motionary.edit import EditReport, PlannedEdit
from motionary.errors import UsageError
from motionary.picture.camera import View
from motionary.picture.layout import Spread
from motionary.picture.scene import Row
from motionary.picture.show import show_rows
from motionary.plants import contacts_of_plants, detect_plants

MOST_EDITS = 12  # in one picture


def show_edits(
    report: EditReport,
    path: Path | str,
    *,
    n_edits: int = MOST_EDITS,
    n_poses: int | None = None,
    width: int | None = None,
    view: View = "auto",
    spread: Spread = "auto",
) -> tuple[str, ...]:
    """Draw segments before and after an edit: .png, .svg or .gif, as `path` ends; returns remarks."""
    check_is(report, EditReport, called="report", meant="what preview_edit or apply_edit gives")
    drawn = [planned for planned in report.edits if planned.changes][:n_edits]
    if not drawn:
        raise UsageError(f"the edit changes nothing, so {path} was not written")
    rows = [row for planned in drawn for row in rows_of_edit(planned)]
    remarks = show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread=spread)
    n_left = report.n_changed - len(drawn)
    return (*remarks, f"{path}: the first {len(drawn)} of {report.n_changed} edits") if n_left else tuple(remarks)


def rows_of_edit(planned: PlannedEdit, *, margin: int = 0) -> Sequence[Row]:
    """Two rows: the segment as it was, and as it is after the edit."""
    before, after, segment = planned.before, planned.after, planned.target.segment
    assert before is not None
    assert after is not None
    now = after.interval_now(segment.start, segment.stop)
    if now is None or now[1] - now[0] < 2:  # all of it is gone: what is around the seam
        seam = min(round(after.frame_now(segment.start)), after.motion.n_frames - 1)
        around = round(0.75 / after.motion.frame_time)
        now = (max(seam - around, 0), min(seam + around, after.motion.n_frames))
    floor = None if before.body is None else detect_plants(before.motion, before.body).known_floor
    rows = []
    for motion, plants, (start, stop), when in (
        (before.motion, before.plants, (segment.start, segment.stop), "before"),
        (after.motion, after.plants, now, "after"),
    ):
        first, last = max(start - margin, 0), min(stop + margin, motion.n_frames)
        contacts = contacts_of_plants(plants, motion.n_frames)[first:last] if before.body is not None else None
        rows.append(
            Row(
                motion.slice(first, last),
                title=f"{planned.clip}:{segment.start}-{segment.stop}, {when}",
                note=planned.operation.title if when == "after" else "",
                start_secs=first * motion.frame_time,
                first_frame=first,
                contacts=contacts,
                body_map=None if before.body is None else before.body.body_map,
                floor=floor,
            )
        )
    return rows
