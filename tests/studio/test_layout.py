"""Nothing jumps: while a screen fills, while it changes its look, and while one goes from one to the next."""

import pytest

from studio.conftest import goes_to

# Whatever has moved without anybody having touched it, and by what share of the window (web.dev/cls)
WATCH = """window.shifts = []; new PerformanceObserver((list) => list.getEntries().forEach((one) => shifts.push({
    value: one.value,
    moved: one.sources.map(({ node, previousRect, currentRect }) => {
        const of = node && (node.nodeType === 1 ? node : node.parentElement);
        const [from, to] = [previousRect, currentRect].map((box) => `${box.x},${box.y}`);
        return `${of?.tagName}.${of?.className} ${from} -> ${to}`;
    }) }))).observe({ type: 'layout-shift', buffered: true })"""
LITTLE = 0.01  # a tenth of what counts as good
SCREENS = (
    *("/", "/clip/1?segment=60-150", "/find?query=%231:60-150", "/find", "/review", "/log", "/parametric", "/graph"),
    *("/transition", "/motifs", "/selection", "/edit?segment=%231:60-150&operation=mirror"),
)


def shifted(page) -> tuple[float, list[str]]:
    """How much has moved since this was last asked, and what."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = page.evaluate("shifts.splice(0)")
    return sum(one["value"] for one in found), [text for one in found for text in one["moved"]]


def settle(page, screen):
    page.wait_for_selector("main .bar, main .state, main .start")
    page.wait_for_selector("section[aria-label=Basket]")
    if "query=" in screen:
        page.wait_for_selector(".cell[data-playing=true]")
        page.wait_for_selector(".heat td")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_nothing_moves_while_a_screen_fills(served, browse, width, height):
    page = browse(served, width=width, height=height).open()
    page.add_init_script(WATCH)
    jumps = {}
    for screen in SCREENS:
        page.goto(served.address + screen)
        page.wait_for_selector(".clip[data-ready=true]")
        settle(page, screen)
        loaded = shifted(page)
        page.keyboard.press("Shift+D")
        page.keyboard.press("Shift+D")
        goes_to(page, "/")
        settle(page, "/")
        shifted(page)  # what came with a key is what somebody wanted
        goes_to(page, screen)
        settle(page, screen)
        for how, (much, what) in (("loaded", loaded), ("gone to", shifted(page))):
            if much > LITTLE:
                jumps[f"{screen}, {how}"] = (much, what)

    assert jumps == {}


def test_the_watch_sees_what_moves(served, browse):
    """The test above could fail."""
    page = browse(served).open("/clip/1")
    page.evaluate(WATCH)
    page.wait_for_selector("section[aria-label=Basket]")
    page.wait_for_function("() => window.studioCounts?.drawCalls === 1")
    shifted(page)

    page.evaluate("document.querySelector('.shell').style.paddingTop = '60px'")

    assert shifted(page)[0] > LITTLE


def test_both_figures_stay_in_sight_wherever_they_go(served, browse):
    page = browse(served).open("/find?query=%231:60-150")
    page.wait_for_selector(".cell[data-playing=true]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-testid=pair]")
    page.keyboard.press("Space")
    page.wait_for_selector("button:has-text('Play')")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_function("() => +document.querySelector('[role=slider]').ariaValueNow === 0")
    page.wait_for_function("() => window.studioView")  # the first frame was drawn
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    begin = page.evaluate("studioView()")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")

    page.wait_for_function(
        "(begin) => Math.hypot(studioView()[3] - begin[3], studioView()[5] - begin[5]) > 0.3", arg=begin
    )


def test_views_and_rows_that_are_gone_are_not_kept(served, browse):
    """Nodes that the page still knows, in the document or not, are as many after ten rounds as after two."""
    page = browse(served).open()
    page.locator(".clip[data-ready=true]").first.wait_for()
    tools = page.context.new_cdp_session(page)
    counts = []
    for n in range(10):
        page.evaluate(f"document.querySelector('.list').scrollTop = {[4000, 0][n % 2]}")
        goes_to(page, f"/clip/{n % 3 + 1}?segment=0-30")
        page.wait_for_function("() => window.studioCounts?.drawCalls === 1")
        goes_to(page, "/log")
        page.locator(".table, .page").first.wait_for()
        if n in (1, 9):
            page.evaluate("document.querySelector('.list').scrollTop = 0")
            page.wait_for_timeout(300)
            for _ in range(3):
                tools.send("HeapProfiler.collectGarbage")
            counts.append(tools.send("Memory.getDOMCounters")["nodes"])

    assert counts[1] <= counts[0] + 60
