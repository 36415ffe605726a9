"""Pictures of the studio's screens, taken in a real browser on a bank of the sample library.

    python bench/studio_pictures.py docs/images                  # those of docs/studio.md and README.md, small
    python bench/studio_pictures.py FOLDER --every [--size 1280x720…] [--scheme light…] [--only NAME…] [--zoom 1.25]

With --every, all screens are taken, in light and dark, at 1280×720, 1920×1080 and 3840×2160: to be looked at. The
bank is made anew, which takes minutes; with --bank FILE it is kept there for the next time.
"""

import argparse
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

import motionary
from motionary.motion import recording_of
from studio import Server, run_motionary, serving
from studio_page import launched

PATIENCE_MS = 60_000
SIZES = ("1280x720", "1920x1080", "3840x2160")
IN_DOCS = ("clip", "find", "beside", "space", "review", "parametric", "transition", "path", "edit")  # names of screens
PLAYING = "() => document.querySelectorAll('.cell[data-playing=true]').length > 3"
TO_SPREAD = ("kick_front", "kick_side", "cartwheel", "throw")
DRAWN = "() => window.studioCounts?.drawCalls >= 1"


@dataclass(frozen=True)
class Screen:
    """Where a picture is taken, and what is done there first."""

    address: str  # with names of PLACES in braces
    prepare: Callable[[Any], None]
    bank: str = "library"


def waits_for(what: str, *keys: str, click: str = "") -> Callable[[Any], None]:
    """Wait for a selector, or for what a function says; then press the keys."""

    def prepare(page: Any) -> None:
        if click:
            page.click(click)
        if what.startswith("() =>"):
            page.wait_for_function(what)
        else:
            page.wait_for_selector(what)
        for key in keys:
            page.keyboard.press(key)

    return prepare


def on_clip(*keys: str) -> Callable[[Any], None]:
    return waits_for(DRAWN, *keys)


def on_matches(*keys: str) -> Callable[[Any], None]:
    """Matches in the middle of their kick."""

    def prepare(page: Any) -> None:
        page.wait_for_function(PLAYING)
        if page.locator("canvas[role=slider]").count():
            box = page.locator("canvas[role=slider]").bounding_box()
            page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
        for key in keys:
            page.keyboard.press(key)

    return prepare


def draw_path(page: Any) -> None:
    """A bent path, drawn on the ground."""
    page.wait_for_selector("text=/transitions/")
    box = page.locator("[data-testid=made]").bounding_box()
    across, down = box["width"], box["height"]
    page.mouse.move(box["x"] + 0.25 * across, box["y"] + 0.75 * down)
    page.mouse.down()
    for share in range(1, 13):
        bend = 0.2 * (share / 12) * (1 - share / 12) * 4
        page.mouse.move(box["x"] + (0.25 + 0.04 * share) * across, box["y"] + (0.75 - bend - 0.02 * share) * down)
    page.mouse.up()
    page.wait_for_selector("text=/off the path/")


def edit_matches(page: Any) -> None:
    page.wait_for_function(DRAWN)
    page.get_by_label("undulation").fill("0.8")
    page.get_by_label("Apply to").select_option("search")
    page.wait_for_selector("[data-edit='3']")
    page.get_by_label("Moment").fill("1.2")


def pull_target(page: Any) -> None:
    """Pull the target a little to the side."""
    page.wait_for_selector("text=/got /")
    page.wait_for_timeout(1500)  # until the camera rests
    x, y = page.evaluate("window.studioHandles()[0]")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 20, y + 25, steps=4)
    page.mouse.up()
    page.get_by_label("Moment").fill("0.95")


def open_import(page: Any) -> None:
    page.get_by_label("Import files").set_input_files(
        [{"name": "take.bvh", "mimeType": "text/plain", "buffer": PLACES["bvh"].encode()}]
    )
    page.wait_for_selector("dialog")


def go_offline(page: Any) -> None:
    page.wait_for_selector(".clip[data-ready=true]")
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_label("Words").fill("kick")
    page.wait_for_selector("[role=alert]")


def lose_token(page: Any) -> None:
    page.evaluate("sessionStorage.clear(); localStorage.clear()")
    page.goto(page.url.split("#")[0])
    page.wait_for_selector("[role=alert]")


PLACES: dict[str, str] = {}  # segments of the bank, by label
SCREENS = {
    "start": Screen("/", waits_for(".clip[data-ready=true]")),
    "clip": Screen("/clip/{kick_clip}?segment={kick_frames}#t={kick_middle}", on_clip("t")),
    "clip-ghosts": Screen("/clip/{walk_clip}?segment={walk_frames}", on_clip("g", "t")),
    "help": Screen("/clip/{kick_clip}", on_clip("?")),
    "find": Screen("/find?query={kick}&k=23", on_matches("a", "a", "x")),
    "find-six": Screen("/find?query={kick}&k=6", on_matches()),
    "beside": Screen("/find?query={kick}&k=23", on_matches("]", "Enter", "t")),
    "find-empty": Screen("/find", waits_for("text=Find motions by example")),
    "find-error": Screen("/find?query=%2399999:1-50", waits_for("[role=alert]")),
    "match-graph": Screen("/find?query={kick}&by=web", waits_for("[data-testid=match-graph] [role=button]")),
    "space": Screen("/space?label=kick_front,walk", waits_for("text=/curves; brush one/")),
    "motifs": Screen("/motifs", waits_for(".board .cell[data-playing=true]", click="button:has-text('Find motifs')")),
    "motifs-start": Screen("/motifs", waits_for("main .bar, main .state, main .start")),
    "surprises-start": Screen("/surprises", waits_for("main .bar, main .state, main .start")),
    "selections": Screen("/selection", waits_for("main .bar, main .state, main .start")),
    "selection": Screen("/selection/kicks", on_matches()),
    "review-none": Screen("/review?label=idle", waits_for("text=Nothing to review")),
    "review": Screen("/review", waits_for("#spread-0")),
    "parametric-make": Screen("/parametric", waits_for("text=Blend and steer")),
    "parametric": Screen("/parametric/reach_high", pull_target),
    "transition-start": Screen("/transition", waits_for("main .bar, main .state, main .start")),
    "transition": Screen("/transition?from={walk_end}&to={kick_start}&secs=0.8", waits_for("[data-testid=transition]")),
    "judge": Screen("/transition/judge", waits_for("[role=img][aria-label=B]")),
    "graph": Screen("/graph", waits_for("text=/transitions/")),
    "path": Screen("/graph", draw_path),
    "feet": Screen("/feet?segment={walk}", waits_for("text=/plants held/")),
    "edit-start": Screen("/edit?segment={kick}", waits_for("text=What shall be changed?")),
    "edit": Screen("/edit?segment={kick}&operation=wave-shape", edit_matches),
    "log": Screen("/log", waits_for("tbody tr")),
    "import": Screen("/", open_import),
    "no-clip": Screen("/clip/99999", waits_for("main .state h1")),
    "offline": Screen("/", go_offline),
    "no-token": Screen("/", lose_token),
    "empty": Screen("/", waits_for("main .state"), "empty"),
    "empty-find": Screen("/find", waits_for("main .state"), "empty"),
    "empty-space": Screen("/space", waits_for("main .state"), "empty"),
    "empty-graph": Screen("/graph", waits_for("main .bar, main .state, main .start"), "empty"),
    "pose": Screen("/clip/1", on_clip(), "pose"),
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--bank", type=Path, help="made there if it is not there yet, and not changed")
    arguments.add_argument("--every", action="store_true", help="all screens, not only those of the docs")
    arguments.add_argument("--size", nargs="*", default=SIZES)
    arguments.add_argument("--scheme", nargs="*", default=("light", "dark"))
    arguments.add_argument("--only", nargs="*", default=())
    arguments.add_argument("--zoom", type=float, default=1.0)
    options = arguments.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    names = options.only or (SCREENS if options.every else IN_DOCS)
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        for kind, path in banks(Path(folder), options.bank).items():
            shown = [name for name in names if SCREENS[name].bank == kind]
            if not shown:
                continue
            with serving(path) as server:
                for name in shown:
                    if not options.every:
                        with opened(browser, server, SCREENS[name], (1280, 720)) as page:
                            take_small(page, options.folder / f"studio-{name}.png")
                        continue
                    for scheme in options.scheme:
                        for size in options.size:
                            width, height = map(int, size.split("x"))
                            with opened(browser, server, SCREENS[name], (width, height), scheme, options.zoom) as page:
                                page.screenshot(path=options.folder / f"{name}-{scheme}-{size}.png")


def banks(folder: Path, kept: Path | None) -> dict[str, Path]:
    """A bank with everything built, an empty one, and one of a single frame."""
    kept = kept or folder / "kept.bank"
    if not kept.exists():
        make_bank(kept)
    found = {name: folder / f"{name}.bank" for name in ("library", "empty", "pose")}
    shutil.copy(kept, found["library"])
    shutil.copytree(f"{kept}.derived", f"{found['library']}.derived")
    motionary.Bank.open(found["empty"], create=True).close()
    with motionary.Bank.open(kept) as bank:
        for short, label in (("kick", "kick_front"), ("walk", "walk")):
            segment = bank.labelled(label)[0]
            clip = bank.clip(f"#{segment.clip_id}")
            start, stop = segment.start, min(segment.stop, segment.start + round(3.0 / clip.frame_time))
            PLACES.update(
                {
                    f"{short}": f"%23{clip.id}:{start}-{stop}",
                    f"{short}_clip": str(clip.id),
                    f"{short}_frames": f"{start}-{stop}",
                    f"{short}_start": f"%23{clip.id}:{start}",
                    f"{short}_end": f"%23{clip.id}:{stop}",
                    f"{short}_middle": str((start + stop) // 2),
                }
            )
        pose = bank.motion(bank.segment("#1:60-61"))
        motionary.export(bank, [bank.segment("#1:60-180")], folder / "take.bvh")
        PLACES["bvh"] = (folder / "take.bvh").read_text()
    with motionary.Bank.open(found["pose"], create=True) as bank:
        bank.add("a_pose", recording_of(pose))
    return found


def make_bank(path: Path) -> None:
    """Ten minutes of the sample library, with all that the screens show."""
    run_motionary("sample", str(path), "--minutes", "10", "--seed", "20")
    with motionary.Bank.open(path) as bank:
        for label in TO_SPREAD:  # but for one example
            bank.unlabel(bank.labelled(label)[1:], [label])
        motionary.build_index(bank)
        motionary.build_web(bank)
        motionary.build_graph(bank)
        motionary.build_transitions(bank, labels=["idle", "walk"], secs=1.0, representatives=4)
        reaches = [bank.segment_name(segment) for segment in bank.labelled("reach_high")]
        motionary.keep_parametric(bank, "reach_high", reaches, ["RightHand@apex"])
        kick = bank.labelled("kick_front")[0]
        motionary.keep_matches(bank, "kicks", motionary.search_bank(bank, bank.segment_name(kick), k=12))
        motionary.put_spread(bank, motionary.spread_labels(bank, labels=TO_SPREAD, threshold=0.3))


@contextmanager
def opened(
    browser: Any, server: Server, screen: Screen, size: tuple[int, int], scheme: str = "light", zoom: float = 1.0
) -> Iterator[Any]:
    """The screen, once it shows what it shall."""
    viewport = {"width": round(size[0] / zoom), "height": round(size[1] / zoom)}
    context = browser.new_context(viewport=viewport, color_scheme=scheme, device_scale_factor=zoom)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    address = screen.address.format(**PLACES)
    page.goto(f"http://127.0.0.1:{server.port}{address}{'&' if '#' in address else '#'}token={server.token}")
    page.wait_for_selector(".shell")
    screen.prepare(page)
    page.wait_for_timeout(1000)  # lets the posters come and the figures move on
    yield page
    context.close()


def take_small(page: Any, path: Path) -> None:
    """In 256 colours: a third of the size."""
    page.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        path, optimize=True
    )


if __name__ == "__main__":
    main()
