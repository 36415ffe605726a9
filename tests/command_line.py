"""The command line in the process of the tests: a start of the interpreter takes longer than most commands.

Only the command that is asked for is made, as in a process of its own: to make all of them takes long, too.
"""

import io
import sys
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from typer.testing import CliRunner, Result

from motionary.cli.commands import make_app
from motionary.cli.running import run


@dataclass(frozen=True)
class Run:
    """What a command printed, and its exit status."""

    returncode: int
    stdout: str
    stderr: str


def invoke(words: Sequence[str], **options: Any) -> Result:
    """Run a command here; an error stays the exception that it is."""
    return CliRunner().invoke(make_app(words), list(words), **options)


def run_here(*words: str, cwd: Path) -> Run:
    """Run a command in a folder, as `motionary` does: errors are printed."""
    out, err = io.StringIO(), io.StringIO()
    status: object = 0
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err), patch.object(sys, "argv", ["motionary", *words]):
        try:
            run()
        except SystemExit as ended:
            status = ended.code
    return Run(int(str(status or 0)), out.getvalue(), err.getvalue())
