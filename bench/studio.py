"""How fast the studio's server is, and how much it sends and holds; its page is measured by bench/studio_page.py.

    python bench/studio.py [library.bank] [--queries N] [--only NAME…]

start: from the command to the first answer. search: from a call to its 24 listed matches, 2 s each, random places of
the library by a fixed seed; with their motions, what playing them needs. list: 200 clips. drag: a parametric motion of
six made reaches, asked for points between its examples as while a handle is dragged. crowd: 1,000 calls at once, each
on a connection of its own; those that are told to come again do so. memory: of the server's own pages (files that are
mapped, such as features and index, are not counted), before and after, and what of it the index holds.
"""

import argparse
import asyncio
import http.client
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.motion import Segment, recording_of
from motionary.parametric import keep_parametric
from motionary.search import build_index, search_bank
from motionary.server.wire import unpacked
from searching.timing import told_load

MOTIONARY = (sys.executable, "-c", "from motionary.cli import main; main()")
SECS, K, CROWD, N_DRAGS = 2.0, 24, 1_000, 100


@dataclass
class Server:
    """A studio that runs, and one connection to it."""

    process: "subprocess.Popen[str]"
    port: int
    token: str
    printed_secs: float  # from the command to its first line
    answered_secs: float  # to its first answer
    connection: http.client.HTTPConnection

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Sec-Fetch-Site": "same-origin"}

    def call(self, method: str, path: str, body: Any = None) -> tuple[float, bytes]:
        """The seconds that an answer took, and the answer."""
        data = None if body is None else json.dumps(body)
        begun = time.perf_counter()
        self.connection.request(method, path, data, self.headers | {"Content-Type": "application/json"})
        reply = self.connection.getresponse()
        content = reply.read()
        took = time.perf_counter() - begun
        if reply.status != 200:
            raise RuntimeError(f"{method} {path}: {reply.status} {content.decode()[:500]}")
        return took, content

    @property
    def own_mb(self) -> float:
        """Memory that belongs to the process alone, without mapped files."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"RssAnon:\s+(\d+)", status)[0]) / 1024.0


@contextmanager
def serving(bank: Path) -> Iterator[Server]:
    """`motionary studio` on the bank."""
    begun = time.perf_counter()
    command = [*MOTIONARY, "studio", str(bank), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            opener = Path(process.stdout.readline().strip())
            printed = time.perf_counter() - begun
            port, token = re.findall(r"127\.0\.0\.1:(\d+)/#token=([\w-]+)", opener.read_text())[0]
            connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=300)
            server = Server(process, int(port), token, printed, 0.0, connection)
            server.call("GET", "/api/bank")
            server.answered_secs = time.perf_counter() - begun
            yield server
            connection.close()
        finally:
            process.terminate()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("bank", type=Path, nargs="?", help="by default five minutes of the sample library")
    arguments.add_argument("--queries", type=int, default=100)
    arguments.add_argument("--only", nargs="*", default=[], help="start, search, drag, crowd")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder, told_load():
        bank = options.bank or sample_bank(Path(folder))
        with Bank.open(bank) as opened:
            build_index(opened)
        parts: dict[str, Callable[[], None]] = {
            "start": lambda: tell_start(bank),
            "drag": tell_dragging,
            "search": lambda: tell_searches(bank, options.queries),
            "crowd": lambda: tell_crowd(bank),
        }
        for name, tell in parts.items():
            if not options.only or name in options.only:
                tell()


def sample_bank(folder: Path) -> Path:
    """A bank of five minutes of the sample library."""
    path = folder / "library.bank"
    run_motionary("sample", str(path), "--minutes", "5")
    return path


def run_motionary(*words: str) -> None:
    subprocess.run([*MOTIONARY, *words], check=True, capture_output=True)


def tell_start(bank: Path) -> None:
    times = []
    for _ in range(5):
        with serving(bank) as server:
            times.append((server.printed_secs, server.answered_secs))
    printed, answered = np.array(times[1:]).T  # the first run warms the disk cache
    print(f"start: listens after {np.median(printed):.2f} s, first answer after {np.median(answered):.2f} s")


def tell_searches(bank: Path, n_queries: int) -> None:
    rng = random.Random(19)
    with serving(bank) as server:
        before = server.own_mb
        took, first = server.call("GET", "/api/clips?limit=200")
        again = [server.call("GET", f"/api/clips?limit=200&offset={200 * n}")[0] for n in range(5)]
        print(
            f"list: 200 clips {len(first) / 1000:.1f} kB, {1000 * took:.0f} ms, then {1000 * np.median(again):.0f} ms"
        )
        clips = [
            clip
            for page in range(20)
            for clip in json.loads(server.call("GET", f"/api/clips?limit=1000&offset={1000 * page}")[1])["clips"]
            if clip["seconds"] > SECS
        ]
        searches, motions, own, sizes = [], [], [], []
        for n in range(n_queries + 1):
            clip = rng.choice(clips)
            n_frames = round(SECS / clip["frame_time"])
            start = rng.randrange(0, clip["frames"] - n_frames + 1)
            query = {"clip_id": clip["id"], "start": start, "stop": start + n_frames}
            searched, content = server.call("POST", "/api/search", {"query": query, "k": K})
            answer = json.loads(content)
            names = ("clip_id", "start", "stop", "mirrored")
            wanted = [{name: match[name] for name in names} for match in answer["matches"]]
            played, sent = server.call("POST", "/api/motions", {"segments": wanted, "hz": 30})
            assert len(unpacked(sent)) == len(wanted)
            if n == 0:
                print(f"search: the first, which loads the index, {searched:.2f} s")
                continue
            searches.append(1000 * searched)
            own.append(answer["took_ms"])
            motions.append(1000 * played)
            sizes.append((len(content) + len(sent)) / 1000)
        print(f"search: {n_queries} queries, matches listed after {_spread(searches)} ms (median / 95 %)")
        print(f"        of that the search itself {_spread(own)} ms; {K} motions {_spread(motions)} ms more")
        print(f"        {K} matches with their motions: {_spread(sizes)} kB, largest {max(sizes):.0f} kB")
        own_mb = server.own_mb
    held = index_mb(bank, query)
    beside = own_mb - held
    print(f"memory: {before:.0f} MB of its own when it listens, {own_mb:.0f} MB after {n_queries} searches;")
    print(f"        of that the index holds {held:.0f} MB, so that {beside:.0f} MB are beside it (goal 150)")


def index_mb(bank: Path, query: dict[str, int]) -> float:
    """What the index holds after such a search."""
    with Bank.open(bank) as opened:
        index = build_index(opened)
        search_bank(opened, Segment(**query), k=K, index=index)
        held = [index, *index._with_learned]  # that of the learned description hangs on the other one
        return sum(one.held_bytes for one in held) / 2**20  # as the system counts


def tell_dragging() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "reaches.bank"
        keep_reaches(path)
        with serving(path) as server:
            facts = json.loads(server.call("GET", "/api/parametric/reach")[1])
            examples = np.array([one["values"] for one in facts["examples"]])
            rng = np.random.default_rng(0)
            for what, more in (
                ("while dragging", {"corrections": 1, "clean_up": False}),
                ("when let go", {"corrections": 5, "clean_up": True}),
            ):
                times = []
                for n in range(N_DRAGS + 1):
                    point = (rng.dirichlet(np.ones(len(examples))) @ examples).tolist()
                    took, _ = server.call("POST", "/api/parametric/reach/ask", {"values": point, **more})
                    times += [1000 * took] if n else []  # the first loads it
                print(f"drag: {what}, asked to sent {_spread(times)} ms (median / 95 %)")


def keep_reaches(path: Path) -> None:
    """A bank with the parametric motion `reach`, of six made reaches."""
    from parametric import performed

    with Bank.open(path, create=True) as bank:
        names = []
        for number, source in enumerate(performed("reach_high", 6)):
            names.append(f"reach_{number}")
            bank.add(names[-1], recording_of(source.motion), plants=source.plants)
        keep_parametric(bank, "reach", names, ["RightHand@apex"])


def tell_crowd(bank: Path) -> None:
    with serving(bank) as server:
        listed = json.loads(server.call("GET", "/api/clips?limit=200")[1])["clips"]
        ids = [clip["id"] for clip in listed]
        segments = [{"clip_id": one["id"], "start": 0, "stop": min(60, one["frames"])} for one in listed]
        calls = [
            ("GET", "/api/clips?limit=200", b""),
            ("GET", f"/api/posters?ids={','.join(map(str, ids[:24]))}", b""),
            ("POST", "/api/motions", json.dumps({"segments": segments[:4], "hz": 30}).encode()),
            ("GET", f"/api/clips/{ids[0]}", b""),
        ]
        begun = time.perf_counter()
        answers = asyncio.run(_crowd(server, [calls[n % len(calls)] for n in range(CROWD)]))
        took = time.perf_counter() - begun
        first = Counter(statuses[0] for statuses, _ in answers)
        last = Counter(statuses[-1] for statuses, _ in answers)
        waited = sorted(secs for _, secs in answers)
        print(
            f"crowd: {CROWD} calls at once, all answered after {took:.1f} s; first answers {dict(first)}, last "
            f"{dict(last)}; each answer after {waited[len(waited) // 2]:.2f} / {waited[int(0.99 * len(waited))]:.2f} / "
            f"{waited[-1]:.2f} s (median / 99 % / longest)"
        )
        print(f"memory: {server.own_mb:.0f} MB of its own after the crowd")


async def _crowd(server: Server, calls: list[tuple[str, str, bytes]]) -> list[tuple[list[int], float]]:
    """The statuses that each call got until it was answered, and the longest that any of its answers took."""

    async def one(method: str, path: str, body: bytes) -> tuple[list[int], float]:
        statuses: list[int] = []
        longest = 0.0
        while not statuses or statuses[-1] == 503:
            begun = time.perf_counter()
            status, wait = await _answer(server, method, path, body)
            longest = max(longest, time.perf_counter() - begun)
            statuses.append(status)
            if status == 503:
                await asyncio.sleep(wait)
        return statuses, longest

    return list(await asyncio.gather(*(one(*call) for call in calls)))


async def _answer(server: Server, method: str, path: str, body: bytes) -> tuple[int, float]:
    """The status of one call on a connection of its own, and how long it is asked to wait."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    head = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Connection: close"]
    head += [f"{name}: {value}" for name, value in server.headers.items()]
    head += [f"Content-Type: application/json\r\nContent-Length: {len(body)}"] if body else []
    writer.write("\r\n".join([*head, "", ""]).encode() + body)
    answer = await reader.read()
    writer.close()
    top = answer.partition(b"\r\n\r\n")[0].decode("latin-1").lower()
    wait = re.search(r"retry-after: (\d+)", top)
    length = re.search(r"content-length: (\d+)", top)
    assert length is not None, "an answer was lost"
    assert len(answer.partition(b"\r\n\r\n")[2]) == int(length[1]), "an answer was cut off"
    return int(top.split()[1]), float(wait[1]) if wait else 0.0


def _spread(values: list[float]) -> str:
    return f"{np.median(values):.0f} / {np.percentile(values, 95):.0f}"


if __name__ == "__main__":
    main()
