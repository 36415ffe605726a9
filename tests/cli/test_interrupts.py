"""Ctrl-C is answered soon, with one line and status 130."""

import os
import signal
import subprocess
import sys
import time

import pytest

from motionary.cli.interrupts import ANSWER

BUSY = {
    "in Python": "while True: sum(range(1000))",
    "far outside Python": "hashlib.pbkdf2_hmac('sha512', b'', b'', 300_000_000)",
    "in a library that ends by itself": """
try:
    while True: time.sleep(0.01)
except KeyboardInterrupt:
    sys.exit(130)
""",
    "and told so before anything else": "raise KeyboardInterrupt",
}
PROGRAM = """
import hashlib, sys, time
from motionary.cli.interrupts import answered_interrupts
with answered_interrupts():
    print("ready", flush=True)
    {busy}
"""


def started(busy: str) -> subprocess.Popen:
    program = PROGRAM.format(busy=busy.strip().replace("\n", "\n    "))
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize("busy", BUSY.values(), ids=list(BUSY))
def test_an_interrupt_is_answered_with_one_line(busy):
    process = started(busy)
    time.sleep(0.1)

    if process.poll() is None:
        os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)

    assert process.returncode == 130
    assert said == f"{ANSWER}\n"


def test_work_that_holds_interrupts_back_is_not_cut_off():
    process = started(
        """
from motionary.workers import held_back_interrupts
with held_back_interrupts() as check:
    print("holding", flush=True)
    time.sleep(2)
    print("finished", flush=True)
    check()
"""
    )
    assert process.stdout.readline() == "holding\n"

    os.kill(process.pid, signal.SIGINT)
    rest, said = process.communicate(timeout=60)

    assert rest == "finished\n"
    assert (process.returncode, said) == (130, f"{ANSWER}\n")


def test_other_ends_stay_what_they_are():
    process = started("sys.exit(3)")
    _, said = process.communicate(timeout=60)

    assert (process.returncode, said) == (3, "")
