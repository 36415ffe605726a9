"""A real server on a real bank, and a real browser on its page."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import typer

import motionary

PATIENCE_MS = 180_000  # for what compiles kernels first, on a busy machine
PAGE = Path(motionary.__file__).parent / "server" / "static" / "index.html"
MOTIONARY = (sys.executable, "-c", "from motionary.cli import main; main()")
FLAGS = (
    *("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here need a browser: `make test-studio` runs them, one after the other."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@dataclass
class Served:
    """A studio that runs: its address, and the token that the page gets in its fragment."""

    bank: Path
    address: str
    token: str
    process: "subprocess.Popen[str]"

    def page_address(self, path: str) -> str:
        """The address that opens the page there."""
        return f"{self.address}{path}{'&' if '#' in path else '#'}token={self.token}"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=60)


@dataclass
class Browsing:
    """A page in the browser; whatever goes wrong in it is gathered."""

    page: Any
    served: Served
    errors: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def open(self, path: str = "/") -> Any:
        """The page at this address, once its shell is there."""
        self.page.goto(self.served.page_address(path))
        self.page.wait_for_selector(".shell")
        return self.page


@contextmanager
def serving(bank: Path) -> Iterator[Served]:
    """`motionary studio` on the bank, as a user starts it."""
    command = [*MOTIONARY, "studio", str(bank), "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        opener = next((line.strip() for line in process.stdout if "studio.html" in line), "")
        found = re.search(r'href="(http://[^"/]+)/#token=([^"]+)"', Path(opener).read_text())
        assert found is not None
        yield Served(bank, found[1], found[2], process)
    finally:
        process.terminate()
        process.stdout.close()  # type: ignore[union-attr]
        process.wait(timeout=PATIENCE_MS / 1000)  # it ends the call that it is at, which may compile kernels


@pytest.fixture
def serve(browser: Any) -> Callable[[Path], Any]:
    """What serves a bank that the test made."""
    assert browser.is_connected()
    return serving


def goes_to(page: Any, address: str) -> None:
    """Go there within the page, as a click does; no handle keeps what is waited for in memory."""
    page.evaluate("(to) => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')) }", address)
    page.locator("main .bar, main .state, main .start").first.wait_for()


def make_bank(path: Path, *, minutes: float = 1.0) -> Path:
    """A bank of sample motions."""
    command = [*MOTIONARY, "sample", str(path), "--minutes", str(minutes)]
    subprocess.run(command, check=True, capture_output=True)
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    pytest.importorskip("fastapi", reason="pip install 'motionary[studio]' to test the studio")
    pytest.importorskip("playwright", reason="pip install playwright to test the studio in a browser")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium to test the studio in: apt-get install chromium")
    if not PAGE.exists():
        pytest.skip("the page is not built: make page")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def sample_bank(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Path:
    assert browser.is_connected()  # without one, no bank is made
    return make_bank(tmp_path_factory.mktemp("studio") / "library.bank")


@pytest.fixture(scope="session")
def served(sample_bank: Path) -> Iterator[Served]:
    """A studio that all tests share: they change nothing in its bank."""
    with serving(sample_bank) as running:
        yield running


@pytest.fixture
def served_copy(sample_bank: Path, tmp_path: Path) -> Iterator[Served]:
    """A studio of a bank of its own, which the test may change."""
    with serving(Path(shutil.copy(sample_bank, tmp_path / "library.bank"))) as running:
        yield running


@pytest.fixture
def browse(browser: Any) -> Iterator[Callable[..., Browsing]]:
    """Open a page of a studio; at the end, nothing went wrong in it and no request left the machine."""
    opened = []

    def start(served: Served, *, width: int = 1280, height: int = 720, scheme: str = "light") -> Browsing:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            accept_downloads=True,
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.set_default_timeout(PATIENCE_MS)
        browsing = Browsing(context.new_page(), served)
        browsing.page.on("pageerror", lambda error: browsing.errors.append(str(error)))
        browsing.page.on("request", lambda request: _note(browsing, request.url))
        opened.append((context, browsing))
        return browsing

    yield start
    for context, _ in opened:
        context.close()
    for _, browsing in opened:
        assert browsing.errors == []
        assert browsing.elsewhere == []


@pytest.fixture
def understood(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Copy what a page shows: the command line must understand the command, and Python must run."""

    def copied(page: Any, kind: str) -> str:
        page.evaluate("navigator.clipboard.writeText('')")
        page.get_by_role("button", name=f"Copy as {kind}").click()
        page.wait_for_function("async () => await navigator.clipboard.readText() !== ''")
        return str(page.evaluate("navigator.clipboard.readText()"))

    def check(page: Any, bank: Path, expected: str, *, run: bool = True) -> None:
        command = copied(page, "command")
        for _ in range(100):  # a panel that was just opened is still on its way
            if expected in command:
                break
            page.wait_for_timeout(100)
            command = copied(page, "command")
        assert expected in command
        read_to_its_end(command)
        monkeypatch.chdir(bank.parent)  # the page knows no folder
        code = compile(copied(page, "Python"), "copied", "exec")
        if run:
            exec(code, {})

    return check


def read_to_its_end(command: str) -> None:
    """Let the command line read a command to its end, without carrying it out."""
    from motionary.cli.app import app

    _, *words = shlex.split(command)
    reads: Any = typer.main.get_command(app)
    context = reads.make_context("motionary", words)
    while hasattr(reads, "resolve_command"):
        name, reads, words = reads.resolve_command(context, [*context._protected_args, *context.args])
        context = reads.make_context(name, words, parent=context)


def _note(browsing: Browsing, address: str) -> None:
    if not address.startswith((browsing.served.address, "blob:", "data:")):
        browsing.elsewhere.append(address)
