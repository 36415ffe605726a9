"""The server gives back the memory that it no longer needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import re, threading
import numpy as np
from motionary.server.memory import hold_little

def own_mb():
    return int(re.findall(r"RssAnon:\\s+(\\d+)", open("/proc/self/status").read())[0]) / 1024

def work():
    arrays = [np.ones(1 << 17) for _ in range(64)]  # 1 MB each, which the C library would like to keep
    arrays[1:] = []
    kept.append(arrays[0][:8].copy())

hold_little()  # without it, some 230 MB stay
kept = []
before = own_mb()
for _ in range(3):
    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
print(own_mb() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell what a process holds")
def test_what_threads_no_longer_need_is_given_back():
    told = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True).stdout

    assert float(told) < 8.0


ONE_THREAD = """
import os
import motionary.server.serving
from motionary.server.memory import hold_little
hold_little()
print(len(os.listdir("/proc/self/task")), os.environ.get("OPENBLAS_NUM_THREADS"))
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not tell the threads of a process")
def test_numpy_multiplies_with_one_thread_in_the_server_but_not_in_jobs():
    """Jobs are processes that inherit the environment. Whoever set a number of threads themselves keeps it."""
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    told = [
        subprocess.run([sys.executable, "-c", ONE_THREAD], capture_output=True, text=True, check=True, env=one).stdout
        for one in (free, {**free, "OPENBLAS_NUM_THREADS": "2"})
    ]

    assert told[0].split() == ["1", "None"]
    assert told[1].split()[1] == "2"
