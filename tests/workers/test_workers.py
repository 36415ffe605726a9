"""Work in several processes: in order, bounded, and out of the way when it is interrupted or killed."""

import os
import signal
import subprocess
import sys
import time

import pytest

from motionary.workers import WorkerDiedError, held_back_interrupts, map_in_order, n_cores

SCRIPT = """
import sys, time
from motionary.workers import held_back_interrupts, map_in_order

def slow(x):
    time.sleep(0.01)
    return x

if __name__ == "__main__":
    results = map_in_order(slow, range(100_000), n_processes=2)
    with held_back_interrupts() as check:
        try:
            print("started", flush=True)
            for result in results:
                check()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        finally:
            results.close()
"""


def double(x: int) -> int:
    return 2 * x


def die_on_three(x: int) -> int:
    if x == 3:
        os._exit(1)
    return x


@pytest.mark.parametrize("n_processes", [1, 2])
def test_results_come_in_order(n_processes):
    assert list(map_in_order(double, range(40), n_processes=n_processes)) == [2 * x for x in range(40)]


def test_closing_early_ends_the_work():
    results = map_in_order(double, range(10_000), n_processes=2)

    assert next(results) == 0
    results.close()


def test_a_worker_that_dies_is_told():
    with pytest.raises(WorkerDiedError):
        list(map_in_order(die_on_three, range(10), n_processes=2))


def test_this_machine_has_cores():
    assert n_cores() >= 1


def test_an_interrupt_waits_for_its_moment():
    with held_back_interrupts() as check:
        check()
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        with pytest.raises(KeyboardInterrupt):
            check()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler  # the usual answer is back


def test_an_ignored_interrupt_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with held_back_interrupts() as check:
            os.kill(os.getpid(), signal.SIGINT)
            check()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.3, 0.8])
def test_ctrl_c_at_any_moment_ends_all_processes(tmp_path, delay):
    path = tmp_path / "work.py"
    path.write_text(SCRIPT)
    run = subprocess.Popen([sys.executable, str(path)], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "started\n"
    time.sleep(delay)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to all processes at once

    assert run.communicate(timeout=30)[0] == "interrupted\n"
    assert run.returncode == 0


def test_a_script_needs_no_guard(tmp_path):
    """Processes that ran the script again would wait for the lock that it holds, and it for them."""
    script = tmp_path / "unguarded.py"
    script.write_text(
        "import motionary\n"
        "from motionary.library import build_features\n"
        f"with motionary.Bank.open({str(tmp_path / 'made.bank')!r}, create=True) as bank:\n"
        "    motionary.sample_into(bank, minutes=0.5)\n"
        "    print('described', build_features(bank, processes=2).n_clips)\n"
    )

    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=100)

    assert done.returncode == 0, done.stderr
    assert done.stdout.count("described") == 1
