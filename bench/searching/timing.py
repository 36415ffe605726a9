"""Times of alternatives, taken in turns, and what else the machine was doing meanwhile."""

import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

PAUSE_SECS = 0.15  # threads of a matrix product go on spinning for a while, which would be the next way's loss


def in_turns(
    ways: Mapping[str, Callable[[Any], object]],
    queries: Sequence[Any],
    *,
    rounds: int,
    warm: bool = True,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, np.ndarray]:
    """Seconds (Q,) of each way to answer each query, the least of the rounds.

    Ways take turns at every query, so that what else the machine does falls on all of them alike, after a pause each.
    To be warm, the first query is asked once beforehand.
    """
    spent = {name: np.full(len(queries), np.inf) for name in ways}
    for answer in ways.values() if warm else ():
        answer(queries[0])
    for _ in range(rounds):
        for q, query in enumerate(queries):
            for name, answer in ways.items():
                time.sleep(PAUSE_SECS)
                start = clock()
                answer(query)
                spent[name][q] = min(spent[name][q], clock() - start)
    return spent


def spread(secs: np.ndarray) -> str:
    """Median / 90th percentile / worst, in milliseconds."""
    median, ninetieth = np.percentile(secs, [50, 90])
    return f"{1e3 * median:.1f} / {1e3 * ninetieth:.1f} / {1e3 * secs.max():.1f}"


def ratios(ours: np.ndarray, theirs: np.ndarray) -> str:
    """Median / 90th percentile / worst of the ratios, query by query."""
    each = ours / theirs
    median, ninetieth = np.percentile(each, [50, 90])
    return f"{median:.3f} / {ninetieth:.3f} / {each.max():.3f}"


@contextmanager
def told_load() -> Iterator[None]:
    """Says at the beginning what the machine is, and at the end how busy others kept it."""
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    busy, own, start = _busy_secs(), _own_secs(), time.perf_counter()
    yield
    elapsed = time.perf_counter() - start
    others = (_busy_secs() - busy) - (_own_secs() - own)
    print(
        f"\n{elapsed:.0f} s in all; others kept {max(others, 0.0) / elapsed:.2f} of {os.cpu_count()} cores busy; "
        f"load average {os.getloadavg()[0]:.1f}"
    )


def _own_secs() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _busy_secs() -> float:
    """Seconds that all cores together have worked for anybody so far; 0 where nobody counts them."""
    try:
        fields = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    except OSError:
        return 0.0
    idle = fields[3] + fields[4]
    return float(sum(fields[:8]) - idle) / os.sysconf("SC_CLK_TCK")
