"""Results to stdout, everything else to stderr."""

import io
import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

from motionary.errors import UsageError
from motionary.files import json_value
from motionary.printable import printable

FIRST_LINE_SECS, LINE_SECS = 1.0, 30.0  # after which a pipe is told how far work is
UNKNOWN_SECS = 3.0  # after which it is told so even if nothing says how long the rest takes


class Step(Protocol):
    """What a progress bar takes: how many of how many, and what was last."""

    def __call__(self, done: int, total: int, last: str, /) -> None: ...


class ReaderGone(Exception):
    """Whoever read our results wants no more of them (`| head`): no failure, and nothing to say."""


class _Results(io.TextIOWrapper):
    """Standard output; not an OSError, its ReaderGone passes libraries that answer a broken pipe with status 1.

    Text from files, which may hold what steers a terminal, passes through here whoever prints it.
    """

    cleans = False

    def write(self, text: str, /) -> int:
        try:
            return super().write(printable(text) if self.cleans else text)
        except BrokenPipeError:
            raise ReaderGone from None

    def flush(self) -> None:
        try:
            super().flush()
        except BrokenPipeError:
            raise ReaderGone from None


def watch_reader() -> None:
    """Have standard output raise ReaderGone, and write ? where its encoding lacks a sign."""
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper):
        results = _Results(out.buffer, out.encoding, "replace", line_buffering=out.line_buffering)
        # Help is ours, and coloured; it comes for a command alone, too.
        results.cleans = len(sys.argv) > 2 and not {"-h", "--help"} & set(sys.argv)
        sys.stdout = results
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")


def leave_reader() -> None:
    """Send what is still to be written nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_json(rows: Iterable[dict[str, Any]]) -> None:
    """One object per line; numbers that JSON does not have are null."""
    for row in rows:
        print(json.dumps(json_value(row), ensure_ascii=False, allow_nan=False))


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as they need to be; numbers to the right."""
    widths = [max(len(line[i]) for line in (header, *rows)) for i in range(len(header))]
    right = [bool(rows) and all(_is_number(row[i]) for row in rows) for i in range(len(header))]
    for line in (header, *rows):
        cells = [cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(line, widths, right, strict=True)]
        print("  ".join(cells).rstrip())


def say(text: str) -> None:
    """A remark for people, beside the results."""
    print(printable(text), file=sys.stderr)


def check_pictures(*asked: tuple[Path | None, bool]) -> None:
    """Raise if a picture that is asked for could not be drawn, before anybody waits; some may be animations."""
    if any(path is not None for path, _ in asked):
        from motionary.picture import check_can_draw

        for path, may_move in asked:
            if path is not None:
                check_can_draw(path, may_move=may_move)


def check_view(view: str, output: Path | None) -> None:
    """Raise if a view is chosen of a picture that is not drawn."""
    if view != "auto" and output is None:
        raise UsageError("--view needs -o: it sets the camera of the picture")


@contextmanager
def progress_bar(what: str) -> Iterator[Step]:
    """A bar on stderr if that is a terminal; otherwise a line there when work turns out to take a while."""
    if not sys.stderr.isatty():
        yield _lines(what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.text import Text

    pace = Pace()

    class Left(ProgressColumn):
        """How long it takes still."""

        max_refresh = 1.0

        def render(self, task: Task) -> Text:
            left = pace.left(task.completed, task.total or 0.0)
            return Text("" if left is None else f"{timedelta(seconds=round(left))} left")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Left())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def step(done: int, total: int, last: str, /) -> None:
            bar.update(task, completed=done, total=total, description=f"{what} {printable(last[-40:])}")

        yield step


@contextmanager
def waiting(what: str) -> Iterator[dict[str, Any]]:
    """A progress bar for a search or build: the keywords that take `progress` and `message`."""
    with progress_bar(what) as step:
        yield {"progress": lambda done, total: step(done, total, ""), "message": say}


class Pace:
    """How long work takes still, at the mean speed since its first part: the speed of the last moments swings, and the
    first part may have to compile kernels that all others use."""

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None  # when it was done, and how much it was

    def left(self, done: float, total: float) -> float | None:
        """Seconds; None as long as nothing can be said."""
        if self._first is None:
            self._first = (time.monotonic(), done) if done > 0 else None
            return None
        since, before = self._first
        return remaining_secs(time.monotonic() - since, done - before, total - before)


def remaining_secs(elapsed: float, done: float, total: float) -> float | None:
    """How long work takes still, if the rest takes as long as what is done did; None before a thousandth of it is."""
    return elapsed * (total - done) / done if done > 0 and total and 1000 * done >= total else None


def _lines(what: str) -> Step:
    """Says what goes on when the first seconds have passed, and then now and then."""
    began = time.monotonic()
    said = began + FIRST_LINE_SECS - LINE_SECS
    pace = Pace()

    def step(done: int, total: int, _last: str, /) -> None:
        nonlocal said
        now, left = time.monotonic(), pace.left(done, total)
        soon = left is not None or now - began >= UNKNOWN_SECS
        if done < total and soon and now - said >= LINE_SECS:
            say(f"{what}: {done:,} of {total:,}" + ("" if left is None else f", {timedelta(seconds=round(left))} left"))
            said = now

    return step


def counted(n: int, word: str) -> str:
    """1 clip, 2 clips, 2 matches."""
    ending = "" if n == 1 else "es" if word.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{n:,} {word}{ending}"


def seconds(value: float) -> str:
    """12.34 s, 3 min 5 s, or 5 h 12 min."""
    if value < 60:
        return f"{value:.2f} s"
    if value < 3600:
        return f"{int(value // 60)} min {int(value % 60)} s"
    return f"{int(value // 3600)} h {int(value % 3600 // 60)} min"


def shortened(text: str, most: int = 48) -> str:
    """A text of at most so many characters, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def rate(frame_time: float) -> str:
    """The frame rate as people know it: 30, 29.97, 119.88."""
    return f"{1.0 / frame_time:.5g}"


def _is_number(cell: str) -> bool:
    return not cell or re.fullmatch(r"[#-]?[0-9]*[.:]?[0-9]+( s)?", cell) is not None
