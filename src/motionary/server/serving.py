"""Starting the server, and opening the page in a browser."""

import html
import os
import secrets
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import FrameType
from typing import TYPE_CHECKING

from motionary.errors import UsageError
from motionary.server.memory import hold_little

if TYPE_CHECKING:
    import uvicorn

    from motionary.server.studio import Studio

ADDRESS = "127.0.0.1"
DEFAULT_PORT = 8720
BACKLOG = 2_048
N_THREADS = 6  # that answer calls; more would only wait for the interpreter, and keep new calls waiting
N_TRIES = 20  # ports from the default one on, before the system chooses
MISSING = "the studio needs FastAPI and uvicorn: pip install 'motionary[studio]'"


def serve(
    path: Path,
    *,
    port: int | None = None,
    open_browser: bool = True,
    ready: Callable[[str, Path], None] | None = None,
) -> None:
    """Serve the studio of a bank on this machine alone, until interrupted.

    `ready` is told the address, and the file that opens the page: it holds the token, and only this user can read it.
    """
    hold_little()
    try:
        import motionary.server.app  # noqa: F401 – needs what the studio's extra brings
        from motionary.server.studio import Studio
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("fastapi", "uvicorn", "starlette", "pydantic"):
            raise
        raise UsageError(MISSING) from error

    listening = _listening(port)
    port = int(listening.getsockname()[1])
    token = secrets.token_urlsafe(32)
    studio = Studio(path)
    try:
        with studio.bank():
            pass  # whatever is wrong with the bank is told at once
        opener = _write_opener(f"http://{ADDRESS}:{port}/#token={token}")
        try:
            address = f"http://{ADDRESS}:{port}/"
            if ready is not None:
                ready(address, opener)
            if open_browser:
                webbrowser.open(opener.as_uri())
            server = studio_server(studio, token=token, port=port)
            with suppress(KeyboardInterrupt), _ended_by_signals():
                server.run(sockets=[listening])
        finally:
            rmtree(opener.parent, ignore_errors=True)  # somebody may have tidied it away
    finally:
        listening.close()
        studio.close()


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Whatever ends the process from outside ends it as Ctrl-C does, so that nothing is left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    def as_if_terminated(*_: object) -> None:  # uvicorn answers SIGTERM by ending in order, then sends it once more
        signal.raise_signal(signal.SIGTERM)

    handlers = {signal.SIGTERM: end, signal.SIGHUP: as_if_terminated}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def studio_server(studio: "Studio", *, token: str, port: int) -> "uvicorn.Server":
    """The server of a studio, which ends as soon as it is told to, though pages listen to its events."""
    import uvicorn
    from anyio import to_thread

    from motionary.server.app import build_app

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            to_thread.current_default_thread_limiter().total_tokens = N_THREADS
            await super().startup(sockets)

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            studio.events.end()
            super().handle_exit(sig, frame)

    return Server(
        uvicorn.Config(
            build_app(studio, token=token, port=port),
            log_level="warning",
            access_log=False,  # addresses and times of calls are nobody's business
            server_header=False,
            date_header=False,
            proxy_headers=False,
            lifespan="off",
            ws="none",
            backlog=BACKLOG,
            timeout_graceful_shutdown=2,
        )
    )


def _listening(port: int | None) -> socket.socket:
    """A socket that listens on loopback: on this port, or on the first free one from the usual one on."""
    tried = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + N_TRIES), 0]
    for one in tried:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections inherit it: else the head and the body of an answer wait for each other, 40 ms each time
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            listening.bind((ADDRESS, one))
            listening.listen(BACKLOG)
        except OSError as error:
            listening.close()
            problem = error
            continue
        return listening
    raise UsageError(
        f"port {tried[0]} cannot be used ({problem.strerror}); choose another one with --port"
    ) from problem


def _write_opener(address: str) -> Path:
    """A page that leads to the studio, in a folder that only this user can read: the token is then on no command
    line."""
    folder = Path(mkdtemp(prefix="motionary-open-"))
    path = folder / "studio.html"
    with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        file.write(
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Motionary studio</title>'
            f'<meta http-equiv="refresh" content="0; url={html.escape(address)}">'
            f'<p><a href="{html.escape(address)}">Open the studio</a></p></html>\n'
        )
    return path
