"""Ctrl-C is answered at once, whatever is being loaded or computed."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_SECS = 0.4  # for those who can stop by themselves, and leave everything in order
STATUS = 130
ANSWER = "motionary: interrupted; everything finished before is in the bank"
SHOW_CURSOR = "\r\x1b[K\x1b[?25h"  # a progress bar hides it


@contextmanager
def answered_interrupts() -> Iterator[None]:
    """End the process with one line and status 130 soon after Ctrl-C, though it may be busy far outside Python.

    Python raises KeyboardInterrupt only between two of its own steps, and a kernel may be one for seconds. So a thread
    that hears of the signal gives the main one some time, and then ends the process: files and banks are written so
    that they can bear that at any moment. Work that holds Ctrl-C back (`held_back_interrupts`) is never ended so.
    """
    on_main_thread = threading.current_thread() is threading.main_thread()
    if not on_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    done = threading.Event()
    threading.Thread(target=_watch, args=(heard, done), daemon=True).start()
    try:
        yield
    except (KeyboardInterrupt, SystemExit) as error:
        if not _tells_of_interrupt(error):
            raise
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one must not interrupt the answer
        print(ANSWER, file=sys.stderr)
        sys.exit(STATUS)
    finally:
        done.set()
        signal.set_wakeup_fd(before)
        os.close(told)


def _tells_of_interrupt(error: BaseException | None) -> bool:
    """Whether it is an interrupt, or an end that a library made of one, which says nothing."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _watch(heard: int, done: threading.Event) -> None:
    """Wait for signals; end the process if the main thread does not do so in time."""
    while number := os.read(heard, 1):
        if number[0] != signal.SIGINT or not _is_stoppable() or done.wait(PATIENCE_SECS):
            continue
        if _is_stoppable():  # still: work that must not be cut may have begun meanwhile
            cursor = SHOW_CURSOR if os.isatty(2) else ""
            os.write(2, f"{cursor}{ANSWER}\n".encode())
            os._exit(STATUS)
    os.close(heard)


def _is_stoppable() -> bool:
    """Whether nobody has taken it upon themselves to answer an interrupt."""
    return signal.getsignal(signal.SIGINT) is signal.default_int_handler
