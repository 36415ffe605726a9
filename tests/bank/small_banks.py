"""Small recordings, files and banks for the tests of the bank."""

from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.formats import bvh_text
from motionary.motion import ChannelLayout, Recording, Skeleton, Space

UNCOMPARED = {"at", "imported_at"}  # the time of day


def recording(seed: int = 0, *, n_frames: int = 4, frame_time: float = 1 / 30, bone: float = 20.0) -> Recording:
    """A hip with one bone; every seed has other frames."""
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(
        ("Hips", "Chest"),
        np.array([-1, 0]),
        np.array([[0.0, 0.0, 0.0], [0.0, bone, 0.0]]),
        np.array([1]),
        np.array([[0.0, 10.0, 0.0]]),
    )
    layout = ChannelLayout(np.array([0] * 6 + [1] * 3), np.array([0, 1, 2, 5, 3, 4, 5, 3, 4]))
    values = np.round(rng.uniform(-90, 90, (n_frames, 9)), 3)
    return Recording(skeleton, layout, values, frame_time, Space(0.01))


def write_bvh(path: Path, seed: int = 0, *, n_frames: int = 4, bone: float = 20.0) -> Path:
    """A BVH file of such a recording."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bvh_text(recording(seed, n_frames=n_frames, bone=bone)))
    return path


def all_rows(bank: Bank, *, but: tuple[str, ...] = ()) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, without the time of day: what two banks must have in common to be the same."""
    tables = bank.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    found = {}
    for (table,) in tables:
        if table.startswith(("sqlite_", "clip_text_")) or table in but:
            continue
        rows = bank.connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
        found[table] = [tuple(_comparable(row, key) for key in row.keys()) for row in rows]  # noqa: SIM118
    return found


def _comparable(row: Any, key: str) -> Any:
    value = row[key]
    if key in UNCOMPARED:
        return None
    if key in ("before", "after") and value is not None:
        return value.partition('"imported_at"')[0]
    return value
