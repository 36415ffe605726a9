"""The library and the stage: filter, open, play, scrub, mark."""

import re
from typing import Any

import pytest

import motionary
from motionary.bank.storage import pack
from motionary.motion import recording_of
from studio.conftest import goes_to


def frame(page: Any) -> int:
    return int(page.get_by_role("slider", name="Moment").get_attribute("aria-valuenow"))


def test_the_library_lists_all_clips_with_posters(served, browse):
    page = browse(served).open()
    page.wait_for_selector(".clip[data-ready=true]")

    listed = page.locator(".clip")
    total = int(re.search(r"\d+", page.locator(".filter [role=status]").inner_text())[0])
    assert 0 < total == listed.count()
    page.wait_for_function("() => document.querySelectorAll('.clip[data-ready=false]').length === 0")


def test_words_and_labels_filter_the_list(served, browse):
    page = browse(served).open()
    page.wait_for_selector(".clip[data-ready=true]")
    name = page.locator(".clip .title").first.inner_text()

    page.keyboard.press("/")
    page.keyboard.type(name)

    page.wait_for_function("() => document.querySelectorAll('.clip').length === 1")
    assert page.locator(".clip .title").inner_text() == name
    page.get_by_label("Words").fill("no clip has these words")
    page.wait_for_function("() => document.querySelectorAll('.clip').length === 0")
    page.get_by_label("Words").fill("")
    label = page.get_by_label("Label", exact=True).locator("option").nth(1).get_attribute("value")
    page.get_by_label("Label", exact=True).select_option(label)
    page.wait_for_function("() => document.querySelectorAll('.clip').length > 0")


def test_going_from_the_words_to_the_list_does_not_scroll_it(served, browse):
    page = browse(served).open()
    page.wait_for_selector(".clip[data-ready=true]")

    scrolls = page.get_by_label("Words").evaluate(
        "(words) => words.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true, cancelable: true}))"
    )

    assert not scrolls
    page.wait_for_selector(".list:focus")


def test_a_clip_opens_plays_and_scrubs_by_keys(served, browse):
    page = browse(served).open()
    page.locator(".clip[data-ready=true]").first.click()
    page.wait_for_url("**/clip/*")
    page.wait_for_function("() => window.studioCounts?.drawCalls === 1")

    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert frame(page) == 2
    page.keyboard.press("Shift+ArrowRight")
    assert frame(page) > 20
    before = frame(page)
    page.keyboard.press("Space")
    page.wait_for_function(
        f"() => +document.querySelector('canvas[role=slider]').getAttribute('aria-valuenow') !== {before}"
    )
    page.keyboard.press("Space")
    page.wait_for_selector("text=Play")


def test_hovering_plays_a_clip_in_its_row(served, browse):
    page = browse(served).open()
    row = page.locator(".clip[data-ready=true]").first
    row.wait_for()
    image = "document.querySelector('.clip canvas').toDataURL()"
    page.wait_for_function(
        "() => document.querySelector('.clip canvas').getContext('2d').getImageData(0, 0, 80, 40).data.some(Boolean)"
    )
    before = page.evaluate(image)

    row.hover()

    page.wait_for_function(f"(before) => {image} !== before", arg=before)
    playing = page.evaluate(image)
    page.wait_for_function(f"(before) => {image} !== before", arg=playing)
    page.mouse.move(900, 400)
    page.wait_for_function(f"(before) => {image} === before", arg=before)


def test_the_stage_turns_by_mouse_and_follows_by_key(served, browse):
    page = browse(served).open("/clip/1")
    page.wait_for_function("() => window.studioCounts?.drawCalls === 1")
    page.wait_for_function("() => document.querySelector('.names')?.textContent === 'labelsLRspeedscore'")
    box = page.locator("[data-testid=stage]").bounding_box()
    area = {name: box[name] for name in ("x", "y", "width", "height")}
    before = page.screenshot(clip=area)

    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 320, box["y"] + 220, steps=3)
    page.mouse.up()

    page.wait_for_timeout(0)
    assert page.screenshot(clip=area) != before
    page.wait_for_selector("button[aria-pressed=true]:has-text('Follow')")
    page.keyboard.press("C")
    page.wait_for_selector("button[aria-pressed=false]:has-text('Follow')")


def test_a_segment_is_marked_while_playing(served, browse):
    page = browse(served).open("/clip/1#t=20")
    page.wait_for_function("() => window.studioCounts?.drawCalls === 1")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=/Begins at frame/")
    page.wait_for_function("() => +document.querySelector('[role=slider]').ariaValueNow > 60")

    page.keyboard.press("Enter")

    page.wait_for_url(re.compile(r"/clip/1[?]segment=\d+-\d+"))
    page.keyboard.press("Alt+{")  # its start a frame later, its end a frame earlier
    page.keyboard.press("Alt+}")


def test_marked_segments_are_in_the_address(served, browse):
    page = browse(served).open("/clip/1#t=30")
    page.wait_for_function(
        "() => document.querySelector('canvas[role=slider]')?.getAttribute('aria-valuenow') === '30'"
    )

    page.keyboard.press("I")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("O")

    page.wait_for_url(re.compile(r"/clip/1\?segment=30-\d+"))
    page.keyboard.press("Alt+]")
    page.reload()
    page.wait_for_selector("text=/#1:30-/")


def test_the_address_decides_which_segment_of_which_clip_is_marked(served, browse):
    page = browse(served).open("/clip/1?segment=10-40")
    page.wait_for_selector(".shell :text('#1:10-40')")

    goes_to(page, "/clip/1?segment=100-130#t=110")

    page.wait_for_selector(".shell :text('#1:100-130')")
    assert frame(page) == 110
    page.go_back()
    page.wait_for_selector(".shell :text('#1:10-40')")
    goes_to(page, "/clip/9999")
    page.wait_for_selector("text=There is no such clip")
    assert page.locator("canvas[role=slider]").count() == 0


def test_the_token_does_not_stay_in_the_address(served, browse):
    page = browse(served).open("/clip/1")
    page.wait_for_selector(".clip[data-ready=true]")

    assert served.token not in page.url


def test_what_is_shown_can_be_copied_as_a_command(served, browse):
    page = browse(served).open("/clip/1?segment=10-40")
    page.wait_for_selector("text=/#1:10-40/")

    page.get_by_role("button", name="Copy as command").click()

    page.wait_for_selector(".notice")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "motionary show library.bank '#1:10-40' -o strip.png"


def test_question_mark_lists_keys_and_a_key_can_be_changed(served, browse):
    page = browse(served).open("/clip/1")
    page.wait_for_selector(".clip[data-ready=true]")
    page.keyboard.press("?")
    page.get_by_role("button", name="Key for Trails").click()
    page.keyboard.press("Y")
    page.get_by_role("button", name="Close").click()

    page.keyboard.press("Y")

    page.wait_for_selector("button[aria-pressed=true]:has-text('Trails')")


def test_a_stopped_server_is_told(served_copy, browse):
    browsing = browse(served_copy)
    page = browsing.open()
    page.wait_for_selector(".clip[data-ready=true]")
    served_copy.stop()

    page.get_by_label("Words").fill("anything")

    page.wait_for_selector("text=The server does not answer")


def test_without_its_token_the_page_says_where_to_get_one(served, browse):
    page = browse(served).page
    page.goto(served.address)

    page.wait_for_selector("text=This page has no key to the server")


def test_a_new_token_in_the_address_of_the_same_tab_is_taken(served, browse):
    browsing = browse(served)
    page = browsing.page
    page.goto(f"{served.address}/clip/1#t=5")
    page.wait_for_selector("text=This page has no key to the server")

    page.goto(served.page_address("/clip/1#t=5"))  # only its fragment differs: the browser does not load the page anew

    page.wait_for_function("() => window.studioCounts?.drawCalls === 1")
    assert served.token not in page.url


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/clip/%", "text=Open a clip on the left"),
        ("/selection/nothing", "text=This selection cannot be shown"),
        ("/parametric/nothing", "text=This parametric motion cannot be shown"),
        ("/transition?from=here&to=%232:30", "text=here is not a moment"),
        ("/edit?segment=%239999:1-50", "text=There is no clip #9999"),
    ],
)
def test_an_address_that_names_nothing_says_so(served, browse, address, told):
    page = browse(served).open(address)

    page.wait_for_selector(told)


def test_an_empty_bank_says_how_to_fill_it(serve, browse, tmp_path):
    path = tmp_path / "empty.bank"
    with motionary.Bank.open(path, create=True):
        pass
    with serve(path) as served:
        page = browse(served).open()

        page.wait_for_selector("text=This bank is empty")

        assert "motionary import empty.bank" in page.locator(".state").inner_text()


def test_a_clip_of_one_frame_is_shown(serve, browse, sample_bank, tmp_path):
    path = tmp_path / "pose.bank"
    with motionary.Bank.open(sample_bank) as source, motionary.Bank.open(path, create=True) as bank:
        bank.add("pose", recording_of(source.motion(source.segment("#1:30-31"))))
    with serve(path) as served:
        page = browse(served).open("/clip/1")

        page.wait_for_selector("text=This clip is a single pose")
        page.wait_for_function("() => window.studioCounts?.drawCalls === 1")
        assert page.get_by_role("button", name="Play").is_disabled()


@pytest.mark.thorough
def test_of_ten_thousand_clips_few_are_in_the_document(serve, browse, sample_bank, tmp_path):
    path = tmp_path / "large.bank"
    with motionary.Bank.open(sample_bank) as source, motionary.Bank.open(path, create=True) as bank:
        packed = pack(recording_of(source.motion(source.segment("#1:30-33"))))
        with bank.change("fill"):
            for number in range(10_000):
                bank.add(f"pose_{number:05}", packed)
    with serve(path) as served:
        page = browse(served).open()
        page.wait_for_selector(".clip[data-ready=true]")

        page.evaluate("document.querySelector('.list').scrollTop = 300000")

        page.wait_for_selector(".clip[data-ready=true] >> text=/pose_0[45]/")
        assert page.locator(".clip").count() <= 80
        page.wait_for_function("() => !document.querySelector('.clip[aria-busy]')")


def test_the_view_turns_comes_nearer_and_resets_by_keys(served, browse):
    page = browse(served).open("/clip/1")
    page.wait_for_function("() => window.studioCounts?.drawCalls === 1")
    page.wait_for_function("() => window.studioView && window.studioView()[2] !== 6")  # the figure was fitted
    around, above, far, *target = page.evaluate("window.studioView()")

    page.keyboard.press("Control+ArrowLeft")
    page.keyboard.press("Control+ArrowUp")
    page.keyboard.press("+")
    page.keyboard.press("Control+Shift+ArrowUp")

    turned = page.evaluate("window.studioView()")
    assert turned[0] != around
    assert turned[1] < above  # an angle from the vertical: the view is from higher
    assert turned[2] < far
    assert turned[4] > target[1]
    page.keyboard.press("Home")
    page.wait_for_function("(far) => Math.abs(window.studioView()[2] - far) < 1e-6", arg=far)
    again = page.evaluate("window.studioView()")
    assert again == pytest.approx([around, above, far, *target])
    for key in ("Control+ArrowRight", "Control+ArrowDown", "-", "Control+Shift+ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("window.studioView()")[2] > far
    page.keyboard.press("?")
    page.wait_for_selector("dialog >> text=Reset the view")


def test_the_start_shows_the_labels_and_lists_their_clips(served, browse):
    page = browse(served).open()
    page.wait_for_selector(".card")
    labels = page.locator(".card .title").all_text_contents()
    counts = [int(text.split()[0]) for text in page.locator(".card .number").all_text_contents()]
    assert counts == sorted(counts, reverse=True)

    page.locator(".card").first.click()

    page.wait_for_selector(f"[role=status]:has-text('{counts[0]} clip')")
    assert page.get_by_label("Label", exact=True).input_value() == labels[0]
    page.locator(".card").first.click()
    page.wait_for_function("() => document.querySelector('.left select').value === ''")
