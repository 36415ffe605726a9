"""How the command line ends: readers that leave, terminals of other encodings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run_here
from motionary.bank import Bank, import_motions

COMMAND = [sys.executable, "-c", "from motionary.cli import main; main()"]


@pytest.fixture
def library(captures: Path) -> Path:
    with Bank.open(captures / "a.bank", create=True) as bank:
        import_motions(bank, [captures / "captures"])
    return captures


@pytest.mark.parametrize("words", [("ls", "a.bank", "--json"), ("info", "a.bank"), ("--help",), ("ls", "--help")])
def test_a_reader_that_leaves_is_no_failure(library, words):
    read_end, write_end = os.pipe()
    os.close(read_end)

    run = subprocess.run(
        [*COMMAND, *words], cwd=library, stdout=write_end, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write_end)

    assert run.returncode == 0, run.stderr
    assert "Broken" not in run.stderr
    assert "Traceback" not in run.stderr


def test_errors_stay_errors_when_nobody_reads(library):
    read_end, write_end = os.pipe()
    os.close(read_end)

    run = subprocess.run(
        [*COMMAND, "info", "a.bank", "nobody"], cwd=library, stdout=write_end, stderr=subprocess.PIPE, check=False
    )
    os.close(write_end)

    assert run.returncode == 1
    assert b"nobody" in run.stderr


@pytest.mark.parametrize("encoding", ["ascii", pytest.param("latin-1", marks=pytest.mark.thorough), "cp1252"])
def test_charts_come_out_whatever_the_encoding(library, encoding):
    run = subprocess.run(
        [*COMMAND, "info", "a.bank", "sway_01"],
        cwd=library,
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        check=False,
    )

    assert run.returncode == 0, run.stderr
    assert "left foot ?" in run.stdout.decode(encoding)


def test_help_promises_only_what_there_is(library):
    text = run_here("--help", cwd=library).stdout

    words = set(text.replace(",", " ").split())
    assert {"search", "label", "clean", "edit", "blend", "connect", "export"} <= words


@pytest.mark.parametrize(
    ("words", "status"),
    [(("ls", "a.bank"), 0), (("ls", "a.bank", "nothing"), 0), (("ls", "b.bank"), 1), (("ls",), 2), (("ls", "--no"), 2)],
)
def test_exit_statuses_are_those_of_the_reference(library, words, status):
    assert run_here(*words, cwd=library).returncode == status


def test_help_and_completion_are_there_for_those_who_ask():
    def run(*words: str) -> str:
        return subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=True, env=environment).stdout

    environment = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    assert "Usage: motionary ls" in run("help", "ls").replace("-c", "motionary")
    assert "complete" in run("--show-completion", "bash")
