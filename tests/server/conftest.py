"""A real server on a small bank, and a client that speaks as the page does."""

import http.client
import json
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from conftest import swaying_body
from motionary.bank import Bank, Label
from motionary.motion import recording_of
from motionary.search import build_index

pytest.importorskip("uvicorn", reason="the studio needs pip install 'motionary[studio]'")

TOKEN = "the-token-of-these-tests"


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Client:
    """Calls of the studio's page."""

    port: int
    path: Path  # of the bank

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {TOKEN}", "Origin": self.origin, "Sec-Fetch-Site": "same-origin"}

    def send(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body, self.headers if headers is None else headers)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())
        finally:
            connection.close()

    def get(self, path: str) -> Reply:
        return self.send("GET", path)

    def delete(self, path: str) -> Reply:
        return self.send("DELETE", path)

    def post(self, path: str, body: Any) -> Reply:
        return self.send("POST", path, json.dumps(body).encode(), self.headers | {"Content-Type": "application/json"})

    def upload(self, name: str, content: bytes) -> Reply:
        kind = {"Content-Type": "application/octet-stream", "X-Filename": name}
        return self.send("POST", "/api/uploads", content, self.headers | kind)


@pytest.fixture(scope="session")
def studio_bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of four swaying bodies, with labels and an index; only to be copied."""
    path = tmp_path_factory.mktemp("studio") / "small.bank"
    with Bank.open(path, create=True) as bank:
        for seed in range(4):
            labels = [Label("calm"), Label("bend", 10, 40)] if seed < 2 else []
            body = swaying_body(seed, n_frames=120)
            bank.add(f"sway_{seed}", recording_of(body), labels=labels, description=f"body {seed}")
        build_index(bank)
    return path


@pytest.fixture(scope="module")
def studio(studio_bank: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server on a copy of the bank, for all tests of a module."""
    path = tmp_path_factory.mktemp("served") / "small.bank"
    shutil.copy(studio_bank, path)
    shutil.copytree(f"{studio_bank}.derived", f"{path}.derived")
    yield from serving(path)


def serving(path: Path) -> Iterator[Client]:
    from motionary.server import Studio, studio_server

    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    studio = Studio(path)
    server = studio_server(studio, token=TOKEN, port=port)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield Client(port, path)
    finally:
        server.handle_exit(signal.SIGTERM, None)
        thread.join(20)
        studio.close()
        listening.close()


def ended(studio: Client, job_id: str, *, secs: float = 60) -> dict[str, Any]:
    """A job when it has ended."""
    until = time.monotonic() + secs
    while time.monotonic() < until:
        job = studio.get(f"/api/jobs/{job_id}").json
        if job["state"] not in ("waiting", "running"):
            return job
        time.sleep(0.05)
    raise TimeoutError(job)
