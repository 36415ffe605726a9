"""Storing recordings, each once."""

from motionary.bank.sqlite_errors import BankConnection
from motionary.bank.storage import PackedRecording


def store(connection: BankConnection, packed: PackedRecording) -> int:
    """The id of the recording, stored unless it was."""
    execute = connection.execute
    execute(
        "INSERT OR IGNORE INTO skeletons (digest, content) VALUES (?, ?)", (packed.skeleton_digest, packed.skeleton)
    )
    skeleton_id = execute("SELECT id FROM skeletons WHERE digest = ?", (packed.skeleton_digest,)).fetchone()["id"]
    found = execute(
        "SELECT id FROM recordings WHERE frames_digest = ? AND skeleton_id = ?", (packed.frames_digest, skeleton_id)
    ).fetchone()
    if found:
        return int(found["id"])
    cursor = execute(
        "INSERT INTO recordings (skeleton_id, frames_digest, n_frames, frame_time) VALUES (?, ?, ?, ?)",
        (skeleton_id, packed.frames_digest, packed.n_frames, packed.frame_time),
    )
    execute("INSERT INTO frames VALUES (?, ?)", (cursor.lastrowid, packed.frames))
    return int(cursor.lastrowid or 0)
