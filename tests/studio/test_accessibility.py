"""No screen has a serious fault for people who use assistive technology, in light and in dark."""

from pathlib import Path

import pytest

AXE = Path(__file__).parents[2] / "studio" / "node_modules" / "axe-core" / "axe.min.js"
SCREENS = (
    *("/", "/clip/1?segment=60-150", "/find?query=%231:60-150", "/review", "/log", "/parametric", "/graph", "/space"),
    *("/transition", "/transition?from=%231:100&to=%232:100&secs=0.6", "/transition/judge", "/clip/9999"),
    *(
        "/find",
        "/find?query=%239999:1-50",
        "/motifs",
        "/surprises",
        "/selection",
        "/edit?segment=%231:60-150",
        "/feet?segment=%231:60-150",
    ),
)
FAULTS = """axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations
    .filter((one) => ['serious', 'critical'].includes(one.impact))
    .map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`))"""


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make page-check")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_screen_has_a_serious_fault(served, browse, scheme):
    page = browse(served, scheme=scheme).open()
    faults = {}
    for screen in SCREENS:
        page.goto(served.address + screen)
        page.wait_for_selector(".clip[data-ready=true]")
        page.wait_for_selector("main .bar, main .state, main .start")
        page.evaluate(AXE.read_text())
        found = page.evaluate(FAULTS)
        if found:
            faults[screen] = found

    assert faults == {}


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make page-check")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_dialog_and_no_state_has_a_serious_fault(served, browse, scheme):
    page = browse(served, scheme=scheme).open("/clip/1?segment=60-150")
    page.wait_for_selector(".clip[data-ready=true]")
    page.evaluate(AXE.read_text())
    page.keyboard.press("?")
    page.wait_for_selector(".keys li")
    faults = {"keys": page.evaluate(FAULTS)}
    page.keyboard.press("Escape")
    page.get_by_label("Import files").set_input_files(
        [{"name": "odd.bvh", "mimeType": "text/plain", "buffer": b"HIERARCHY"}]
    )
    page.wait_for_selector("dialog >> text=odd.bvh")
    faults["import"] = page.evaluate(FAULTS)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Copy as command").click()
    page.wait_for_selector(".notice")
    faults["notice"] = page.evaluate(FAULTS)
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_label("Words").fill("anything")
    page.wait_for_selector("text=The server does not answer")
    faults["offline"] = page.evaluate(FAULTS)

    assert not any(faults.values()), faults


@pytest.mark.parametrize(("width", "height"), [(1024, 576), (1280, 720), (3840, 2160)])
def test_nothing_is_wider_than_the_window(served, browse, width, height):
    page = browse(served, width=width, height=height).open("/find?query=%231:60-150")
    page.wait_for_selector(".cell[data-playing=true]")

    wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")

    assert wide == [width, height]
    right = page.evaluate(
        "Math.max(...[...document.querySelectorAll('.bar')].map((bar) => bar.scrollWidth - bar.clientWidth))"
    )
    assert right <= 0
    last = page.get_by_role("button", name="Log", exact=True).bounding_box()
    assert last["x"] + last["width"] <= page.locator("label:has-text('Import')").bounding_box()["x"]
