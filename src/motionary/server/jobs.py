"""Long work in a child process of its own, one job after another; the page hears how far it is and can end it."""

import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal

from motionary.errors import NotInBankError
from motionary.server.events import Events

STEP_SECS = 0.1  # between two reports of progress
GRACE_SECS = 5.0  # from asking a job to end to ending it
MOST_KEPT = 50  # jobs that are done
MOST_MESSAGES = 100
State = Literal["waiting", "running", "done", "failed", "cancelled"]


@dataclass
class Job:
    """One piece of work."""

    id: str
    kind: str
    arguments: Mapping[str, Any]
    state: State = "waiting"
    done: int = 0
    total: int = 0
    messages: list[str] = field(default_factory=list)
    result: Any = None
    error: str | None = None
    process: "subprocess.Popen[str] | None" = None
    cancelled: bool = False

    def as_json(self, *, with_result: bool = False) -> dict[str, Any]:
        """What there is to say of it; its result, which may be long, only if asked for."""
        facts = {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "messages": self.messages,
            "error": self.error,
        }
        return facts | ({"result": self.result} if with_result else {})


class Jobs:
    """All jobs of a server. One runs at a time: each uses all cores."""

    def __init__(self, path: Path, events: Events, *, told: Callable[[str], str]) -> None:
        self._path, self._events, self._told = path, events, told
        self._jobs: dict[str, Job] = {}
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self, kind: str, arguments: Mapping[str, Any]) -> Job:
        """Put a job at the end of the queue."""
        job = Job(secrets.token_hex(6), kind, arguments)
        with self._lock:
            self._jobs[job.id] = job
            ended = [one.id for one in self._jobs.values() if one.state not in ("waiting", "running")]
            for job_id in ended[:-MOST_KEPT]:
                del self._jobs[job_id]
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="jobs", daemon=True)
                self._thread.start()
        self._tell(job)
        self._queue.put(job)
        return job

    def all(self) -> list[Job]:
        """All jobs, the newest last."""
        with self._lock:
            return list(self._jobs.values())

    def one(self, job_id: str) -> Job:
        """A job by its id."""
        with self._lock:
            if job_id not in self._jobs:
                raise NotInBankError("there is no such job")
            return self._jobs[job_id]

    def cancel(self, job_id: str) -> Job:
        """Ask a job to end, as Ctrl-C would; after five seconds, end it."""
        job = self.one(job_id)
        with self._lock:
            if job.state == "waiting":
                job.state = "cancelled"
            elif job.state == "running" and not job.cancelled and job.process is not None:
                job.cancelled = True
                _signal(job.process, signal.SIGINT)
                timer = threading.Timer(GRACE_SECS, _signal, (job.process, signal.SIGKILL))
                timer.daemon = True
                timer.start()
        self._tell(job)
        return job

    def close(self) -> None:
        """End whatever runs."""
        self._queue.put(None)
        with self._lock:
            running = [job.process for job in self._jobs.values() if job.state == "running" and job.process]
            for job in self._jobs.values():
                job.state = "cancelled" if job.state == "waiting" else job.state
        for process in running:
            _signal(process, signal.SIGINT)
            try:
                process.wait(GRACE_SECS)
            except subprocess.TimeoutExpired:
                _signal(process, signal.SIGKILL)

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            with self._lock:
                if job.state != "waiting":
                    continue
                job.process = _child()
                job.state = "running"
            self._tell(job)
            self._run(job, job.process)
            self._tell(job)

    def _run(self, job: Job, process: "subprocess.Popen[str]") -> None:
        """Feed the child, and take in what it reports, until it ends."""
        assert process.stdin is not None
        assert process.stdout is not None
        ask = {"bank": str(self._path), "kind": job.kind, "arguments": job.arguments}
        told, finished = 0.0, False
        with suppress(BrokenPipeError, ValueError):  # it died; its exit tells
            with process.stdin as pipe:
                pipe.write(json.dumps(ask))
            for line in process.stdout:
                report = json.loads(self._told(line))
                if "progress" in report:
                    job.done, job.total = report["progress"]
                elif "message" in report:
                    job.messages = [*job.messages, report["message"]][-MOST_MESSAGES:]
                elif "error" in report:
                    job.error = report["error"]
                else:
                    job.result, finished = report["result"], True
                if time.monotonic() - told >= STEP_SECS:
                    told = time.monotonic()
                    self._tell(job)
        status = process.wait()
        process.stdout.close()
        if finished:
            job.state = "done"
        elif job.cancelled:
            job.state = "cancelled"
        else:
            job.state = "failed"
            job.error = job.error or f"the job's process ended with status {status}; its reason stands in the terminal"

    def _tell(self, job: Job) -> None:
        self._events.tell("job", job.as_json())


def _child() -> "subprocess.Popen[str]":
    """A process in a group of its own: Ctrl-C in the terminal reaches it through us."""
    return subprocess.Popen(
        [sys.executable, "-m", "motionary.server.job_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )


def _signal(process: "subprocess.Popen[str]", number: int) -> None:
    """To the child and all its processes."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
