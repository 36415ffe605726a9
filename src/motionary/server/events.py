"""What the server tells the page by itself: how far jobs are, and that the bank was changed."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from motionary.files import json_value
from motionary.server.open_banks import OpenBanks

POLL_SECS = 0.5  # between looks at the bank
BEAT_SECS = 15.0  # between signs of life, by which both ends notice that the other has gone
MOST_WAITING = 200  # events that a page has not taken yet; a page that slow is told less
Event = tuple[str, dict[str, Any]] | None  # its name, and what it tells; None ends the stream


class Events:
    """Every page that listens has a queue; whoever tells something puts it into all of them, from any thread."""

    def __init__(self, banks: OpenBanks) -> None:
        self._banks = banks
        self._lock = threading.Lock()
        self._listening: dict[asyncio.Queue[Event], asyncio.AbstractEventLoop] = {}
        self._seen: int | None = None  # of the bank
        self._looked_at = 0.0
        self._ended = False

    def tell(self, name: str, facts: dict[str, Any]) -> None:
        """Tell all pages."""
        self._put((name, facts))

    def end(self) -> None:
        """End all streams, and those that are just beginning: the server is about to end."""
        self._ended = True
        self._put(None)

    def _put(self, event: Event) -> None:
        with self._lock:
            for queue, loop in self._listening.items():
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(_put, queue, event)

    async def stream(self) -> AsyncIterator[bytes]:
        """Events as server-sent events, until the page goes."""
        queue: asyncio.Queue[Event] = asyncio.Queue(MOST_WAITING)
        with self._lock:
            self._listening[queue] = asyncio.get_running_loop()
        beat = time.monotonic()
        try:
            await asyncio.to_thread(self._look_at_bank)
            yield b": the studio is listening\n\n"
            while not self._ended:
                try:
                    event = await asyncio.wait_for(queue.get(), POLL_SECS)
                    if event is None:
                        return
                    yield _written(*event)
                except TimeoutError:
                    await asyncio.to_thread(self._look_at_bank)
                    if time.monotonic() - beat > BEAT_SECS:
                        beat = time.monotonic()
                        yield b": still here\n\n"
        finally:
            with self._lock:
                self._listening.pop(queue, None)

    def _look_at_bank(self) -> None:
        """Tell of changes of the bank, whoever made them; one of all pages looks at a time."""
        with self._lock:
            now = time.monotonic()
            if now - self._looked_at < 0.8 * POLL_SECS:
                return
            self._looked_at = now
        with self._banks.watching() as bank:
            seen, change = bank.version_of_others, bank.newest_change
        if self._seen is not None and seen != self._seen:
            self.tell("bank", {"change": change})
        self._seen = seen


def _put(queue: "asyncio.Queue[Event]", event: Event) -> None:
    with suppress(asyncio.QueueFull):
        queue.put_nowait(event)


def _written(name: str, facts: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(json_value(facts), ensure_ascii=False)}\n\n".encode()
