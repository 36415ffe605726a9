"""How fast the studio's page is in a real browser, what it holds and sends; its server is measured by bench/studio.py.

    python bench/studio_page.py [library.bank] [--only NAME…] [--queries N] [--rounds N]

size: what is sent before anything is shown, and all files, as gzip has them. start: from the command to its first
line; from opening the address to the first paint, to posters in the list, to the first figure on the Stage. search:
from the key F to the listed matches, and to 24 figures that play. figures: frames while 24 and 100 figures play. drag:
from asking for a point to drawing it. rows: a list of 10,000 clips. axe: faults on every screen, in light and dark.
use: the heap after 200 rounds of use, each of nine actions: as many as a person makes in half an hour, one a second.
Requests to anywhere but the server are counted throughout. Without a bank, the sample library is used. Whether
everything suspicious is refused is a test: tests/server/test_guard.py and test_api_schema.py.
"""

import argparse
import gzip
import random
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import motionary
from motionary.bank import Bank, Clip
from motionary.bank.storage import pack
from motionary.motion import recording_of
from searching.timing import told_load
from studio import Server, index_mb, keep_reaches, sample_bank, serving

K, SECS = 24, 2.0
ACTIONS, LOOK_MS = 9, 150  # of a round of use; as long as needed to draw, not to look
SETTLED_MS = 10_000  # after which no search of the page's is under way
PATIENCE_MS = 300_000
STATIC = Path(motionary.__file__).parent / "server" / "static"
AXE = Path(__file__).parents[1] / "studio" / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = ("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync")
GO = "(to) => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')) }"
# From the next key on: milliseconds to the list, and to the first frame in which all its figures play
FROM_KEY = """() => { window.measured = new Promise((done) => addEventListener('keydown', () => {
    const begun = performance.now(); let listed = 0, frames = 0;
    const look = () => {
        const cells = [...document.querySelectorAll('.cell[data-name]')];
        if (cells.length && !listed) listed = performance.now() - begun;
        if (cells.length && cells.every((cell) => cell.dataset.playing === 'true')) {
            frames ||= studioCounts.frames;
            if (studioCounts.frames > frames + 1) return done([listed, performance.now() - begun]);
        }
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}, {once: true, capture: true})) }"""
# Milliseconds from every question for a point: to the pixels of the first frame that has its answer, which are read
# back so that whatever draws has finished; and to the browser's next frame, which shows them
FROM_QUESTION = """() => { window.drawnMs = []; window.shownMs = [];
    let begun = 0, frames = studioCounts.frames;
    const plain = window.fetch;
    window.fetch = (to, how) => { if (String(to).endsWith('/ask')) begun = performance.now(); return plain(to, how) };
    const gl = document.querySelector('.drawing canvas').getContext('webgl2');
    Object.defineProperty(studioCounts, 'frames', {get: () => frames, set: (n) => {
        frames = n;
        if (!begun || !((performance.getEntriesByName('answered')[0]?.startTime ?? 0) > begun)) return;
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
        const from = begun; begun = 0;
        drawnMs.push(performance.now() - from);
        requestAnimationFrame(() => shownMs.push(performance.now() - from));
    }}) }"""
SCREENS = (
    *("/", "/clip/1?segment=10-40", "/find?query=%231:10-40", "/find", "/review", "/log", "/parametric", "/graph"),
    *("/space", "/transition", "/transition/judge", "/motifs", "/surprises", "/selection"),
    *("/edit?segment=%231:10-40", "/feet?segment=%231:10-40"),
)
FAULTS = """axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations
    .filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => one.id))"""


class Pages:
    """A browser; requests that leave the server are counted."""

    def __init__(self, browser: Any) -> None:
        self.browser, self.elsewhere, self.n_requests = browser, 0, 0

    @contextmanager
    def page(self, server: Server, address: str, *, scheme: str = "light") -> Iterator[Any]:
        """A fresh page at this address."""
        context = self.browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme=scheme)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        ours = (f"http://127.0.0.1:{server.port}/", "blob:", "data:")

        def note(request: Any) -> None:
            self.n_requests += 1
            self.elsewhere += not request.url.startswith(ours)

        page.on("request", note)
        page.goto(f"{ours[0][:-1]}{address}{'&' if '#' in address else '#'}token={server.token}")
        yield page
        context.close()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("bank", type=Path, nargs="?")
    arguments.add_argument("--only", nargs="*", default=[], help="size, start, search, figures, drag, rows, axe, use")
    arguments.add_argument("--queries", type=int, default=40)
    arguments.add_argument("--rounds", type=int, default=200, help="of use")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name, launched() as browser, told_load():
        folder = Path(name)
        bank = options.bank or sample_bank(folder)
        with Bank.open(bank) as opened:
            motionary.build_index(opened)
        pages = Pages(browser)
        parts: dict[str, Callable[[], None]] = {
            "size": tell_sizes,
            "start": lambda: tell_start(pages, bank),
            "search": lambda: tell_searches(pages, bank, options.queries),
            "figures": lambda: tell_figures(pages, bank),
            "drag": lambda: tell_dragging(pages, folder),
            "rows": lambda: tell_rows(pages, bank, folder),
            "axe": lambda: tell_faults(pages, bank),
            "use": lambda: tell_use(pages, bank, options.rounds),
        }
        for part, tell in parts.items():
            if not options.only or part in options.only:
                begun = time.monotonic()
                tell()
                print(f"        ({part} took {time.monotonic() - begun:.0f} s)")
        print(f"requests: {pages.n_requests}, to anywhere but the server {_judged(pages.elsewhere, 0)}")


@contextmanager
def launched() -> Iterator[Any]:
    """A browser."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("no Chromium to open the page in: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))


def tell_sizes() -> None:
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in STATIC.rglob("*") if path.is_file()}
    named = re.findall(r'(?:src|href)="/?assets/([^"]+)"', (STATIC / "index.html").read_text())
    shell = sizes["index.html"] + sum(sizes[name] for name in named)
    total = sum(sizes.values())
    print(f"size: shell {_judged(shell / 1000, 60, 'kB')}, everything {_judged(total / 1000, 280, 'kB')} (gzip)")


def tell_start(pages: Pages, bank: Path) -> None:
    listens, paints, lists, figures = [], [], [], []
    for _ in range(4):
        with serving(bank) as server:
            listens.append(server.printed_secs)
            with pages.page(server, "/") as page:
                page.wait_for_selector(".clip[data-ready=true]")
                lists.append(page.evaluate("performance.now()") / 1000)
                paints.append(
                    page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime") / 1000
                )
            with pages.page(server, "/clip/1") as page:
                page.wait_for_function("() => window.studioCounts?.drawCalls === 1")
                figures.append(page.evaluate("performance.now()") / 1000)
    for what, secs, goal in (
        ("command to listening", listens, 2.5),
        ("first paint", paints, 0.8),
        ("list usable", lists, 1.5),
        ("first figure", figures, 3.0),
    ):
        print(f"start: {what} {_judged(np.median(secs[1:]), goal, 's')}")


def tell_searches(pages: Pages, bank: Path, n_queries: int) -> None:
    rng = random.Random(19)
    with Bank.open(bank) as opened:
        clips = [clip for clip in opened.clips() if clip.n_frames * clip.frame_time > SECS]
    listed, playing = [], []
    with serving(bank) as server, pages.page(server, "/") as page:
        page.wait_for_selector(".clip[data-ready=true]")
        for n in range(n_queries + 1):
            clip = rng.choice(clips)
            n_frames = round(SECS / clip.frame_time)
            start = rng.randrange(0, clip.n_frames - n_frames + 1)
            page.evaluate(GO, f"/clip/{clip.id}?segment={start}-{start + n_frames}")
            page.wait_for_selector(f".bar :text('#{clip.id}:{start}-')")
            page.wait_for_function("() => window.studioCounts?.drawCalls === 1")
            page.evaluate(FROM_KEY)
            page.keyboard.press("F")
            times = page.evaluate("window.measured")
            if n:  # the first loads the index
                listed.append(times[0])
                playing.append(times[1])
        print(f"search: key to matches, median {_judged(np.median(listed), 300, 'ms')}")
        print(f"        95 % {_judged(np.percentile(listed, 95), 500, 'ms')} of {n_queries} queries")
        print(f"        key to {K} playing figures, median {_judged(np.median(playing), 1000, 'ms')}")


def tell_figures(pages: Pages, bank: Path) -> None:
    with serving(bank) as server:
        for k, cell, goal in ((K, 5.9, 100), (100, 3.3, 250)):
            with pages.page(server, f"/find?query=%231:10-40&k={k}") as page:
                page.evaluate(f"localStorage.setItem('motionary-cell', '{cell}')")
                page.reload()
                page.wait_for_selector(".cell[data-playing=true]")
                page.wait_for_timeout(1000)
                before = page.evaluate("[studioCounts.frames, performance.now()]")
                page.wait_for_timeout(5000)
                after = page.evaluate("[studioCounts.frames, performance.now(), studioCounts.drawCalls]")
                each = (after[1] - before[1]) / max(1, after[0] - before[0])
                print(
                    f"figures: {k} matches and the query: a frame every {_judged(each, goal, 'ms')}, "
                    f"{_judged(after[2], 101, 'draw calls')}"
                )


def tell_dragging(pages: Pages, folder: Path) -> None:
    path = folder / "reaches.bank"
    keep_reaches(path)
    with serving(path) as server, pages.page(server, "/parametric/reach") as page:
        page.wait_for_function("() => window.studioCounts?.drawCalls === 1 && window.studioHandles().length > 0")
        page.wait_for_timeout(1500)
        page.evaluate(FROM_QUESTION)
        for _ in range(20):  # while the camera still moves, the handle is missed
            x, y = page.evaluate("window.studioHandles()[0]")
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x + 3, y, steps=2)
            page.wait_for_timeout(500)
            if page.evaluate("window.drawnMs.length"):
                break
            page.mouse.up()
        page.evaluate("drawnMs.length = shownMs.length = 0")
        for n in range(200):
            page.mouse.move(x + 30 * np.sin(n / 12), y + 30 * np.sin(n / 19))
            page.wait_for_timeout(16)
        drawn, shown = page.evaluate("[drawnMs, shownMs]")
        page.mouse.up()
        print(f"drag: asked to drawn, median of {len(drawn)}, {_judged(np.median(drawn), 50, 'ms')},")
        late = np.percentile(drawn, 95)
        print(f"      95 % {late:.0f} ms; shown by the page's next frame, median {np.median(shown):.0f} ms")


def tell_rows(pages: Pages, bank: Path, folder: Path) -> None:
    path = folder / "rows.bank"
    with Bank.open(bank) as source, Bank.open(path, create=True) as large:
        packed = pack(recording_of(source.motion(source.segment("#1:0-3"))))
        with large.change("fill"):
            for number in range(10_000):
                large.add(f"pose_{number:05}", packed)
    with serving(path) as server, pages.page(server, "/") as page:
        page.wait_for_selector(".clip[data-ready=true]")
        blank, bare, rows = 0, 0, 0
        for place in np.random.default_rng(0).integers(0, 500_000, size=20):
            page.evaluate(f"document.querySelector('.list').scrollTop = {place}")
            page.wait_for_timeout(200)
            blank = max(blank, page.locator(".clip[aria-busy]").count())
            bare = max(bare, page.locator(".clip[data-ready=false]").count())
            rows = max(rows, page.locator(".clip").count())
        print(f"rows: of 10,000 clips {_judged(rows, 80, 'rows')} in the document")
        print(f"      200 ms after scrolling {_judged(blank, 0, 'blank')}, {bare} without poster")


def tell_faults(pages: Pages, bank: Path) -> None:
    if not AXE.exists():
        print("axe: not installed; make page-check installs it")
        return
    faults: dict[str, list[str]] = {}
    with serving(bank) as server:
        for scheme in ("light", "dark"):
            with pages.page(server, "/", scheme=scheme) as page:
                page.wait_for_selector(".clip[data-ready=true]")
                page.evaluate(AXE.read_text())
                for screen in SCREENS:
                    page.evaluate(GO, screen)
                    page.wait_for_selector("main .bar, main .state, main .start")
                    page.wait_for_timeout(500)
                    if found := page.evaluate(FAULTS):
                        faults[f"{screen} {scheme}"] = found
    print(f"axe: serious faults on {2 * len(SCREENS)} screens {_judged(len(faults), 0)} {faults or ''}")


def tell_use(pages: Pages, bank: Path, n_rounds: int) -> None:
    rng = random.Random(7)
    with Bank.open(bank) as opened:
        clips = [clip for clip in opened.clips() if clip.n_frames * clip.frame_time > SECS]
    with serving(bank) as server, pages.page(server, "/") as page:
        page.wait_for_selector(".clip[data-ready=true]")
        tools = page.context.new_cdp_session(page)
        heaps, nodes = [_heap_mb(tools)], []
        begun = time.monotonic()
        for n in range(n_rounds):
            _use_once(page, rng, clips)
            if (n + 1) % max(1, n_rounds // 4) == 0:
                heaps.append(_heap_mb(tools))
                nodes.append(tools.send("Memory.getDOMCounters")["nodes"])
        secs = time.monotonic() - begun
        print(
            f"use: heap after {n_rounds} rounds, {n_rounds * ACTIONS} actions in {secs / 60:.1f} minutes "
            f"{_judged(heaps[-1], 200, 'MB')}; on the way {', '.join(f'{one:.0f}' for one in heaps)} MB;"
        )
        print(f"     nodes of the document, and whatever is no longer in it but kept: {', '.join(map(str, nodes))}")
        page.wait_for_timeout(SETTLED_MS)
        own, held = server.own_mb, index_mb(bank, {"clip_id": clips[0].id, "start": 0, "stop": 30})
        print(f"     the server's own memory then {own:.0f} MB, of which the index holds {held:.0f} MB: beside it")
        print(f"     {_judged(own - held, 150, 'MB')}")


def _use_once(page: Any, rng: random.Random, clips: Sequence[Clip]) -> None:
    """Open a clip, play it, search by a segment, judge matches, look at one, go elsewhere.

    Elements are waited for by locators: handles to them would keep them, and all that they show, in memory.
    """
    clip = rng.choice(clips)
    n_frames = round(SECS / clip.frame_time)
    start = rng.randrange(0, clip.n_frames - n_frames + 1)
    page.evaluate(f"document.querySelector('.list').scrollTop = {rng.randrange(0, 60 * len(clips))}")
    page.evaluate(GO, f"/clip/{clip.id}?segment={start}-{start + n_frames}")
    page.locator(f".bar :text('#{clip.id}:{start}-')").first.wait_for()
    page.keyboard.press("Space")
    page.wait_for_timeout(LOOK_MS)
    page.keyboard.press("F")
    page.locator(".cell[data-playing=true]").first.wait_for()
    for key in "AXL":
        page.keyboard.press(key)
    page.wait_for_timeout(LOOK_MS)
    page.keyboard.press("Enter")
    page.wait_for_timeout(LOOK_MS)
    page.evaluate(GO, rng.choice(("/log", "/selection", "/review", "/edit?segment=%231:10-40&operation=mirror")))
    page.wait_for_timeout(LOOK_MS)


def _heap_mb(tools: Any) -> float:
    """Objects, and the arrays that lie outside of the heap of objects."""
    tools.send("HeapProfiler.collectGarbage")
    used = tools.send("Runtime.getHeapUsage")
    return float(used["usedSize"] + used["backingStorageSize"]) / 1e6


def _judged(value: float, goal: float, unit: str = "") -> str:
    """A figure, and whether it is within its goal."""
    shown = (
        f"{value:.0f}"
        if value >= 100 or float(value).is_integer()
        else f"{value:.2f}"
        if value < 10
        else f"{value:.1f}"
    )
    return f"{shown} {unit}".strip() + f" ({'goal' if value <= goal else 'MISSED: goal'} {goal:g})"


if __name__ == "__main__":
    main()
