"""The index of words while many labels change: once for each clip at the end, not once for each label."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from motionary.bank import schema
from motionary.bank.sqlite_errors import BankConnection

MANY = 20  # labels; for fewer, the triggers are as fast


@contextmanager
def words_at_the_end(connection: BankConnection, clip_ids: Iterable[int]) -> Iterator[None]:
    """Inside a transaction: let the triggers of labels rest, and write the words of these clips when all is done.

    If what is inside fails, so does the transaction (or the part of it), which brings the triggers back.
    """
    triggers = [name for name in schema.known_triggers() if name.startswith("text_labels_")]
    for name in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    yield
    for name in triggers:
        connection.execute(schema.known_triggers()[name])
    for clip_id in sorted(set(clip_ids)):
        connection.execute("DELETE FROM clip_text WHERE rowid = ?", (clip_id,))
        connection.execute(
            f"""INSERT INTO clip_text (rowid, name, labels, description, source)
                {schema.CLIP_TEXT} FROM clips WHERE id = ?""",
            (clip_id,),
        )
