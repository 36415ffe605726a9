"""The command line as a user starts it, in this process: a start of the interpreter takes longer than most commands."""

import io
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from motionary.cli.running import run


@dataclass(frozen=True)
class Run:
    """What a command printed, and its exit status."""

    returncode: int
    stdout: str
    stderr: str


def run_here(*words: str, cwd: Path) -> Run:
    """Run a command in a folder."""
    out, err = io.StringIO(), io.StringIO()
    status: object = 0
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err), patch.object(sys, "argv", ["motionary", *words]):
        try:
            run()
        except SystemExit as ended:
            status = ended.code
    return Run(int(str(status or 0)), out.getvalue(), err.getvalue())
