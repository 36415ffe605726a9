"""Search by example: the grid, why, verdicts, selections, exports."""

from dataclasses import replace

import numpy as np
import pytest

import motionary
from motionary.motion import recording_of
from studio.conftest import goes_to


@pytest.fixture
def found(served, browse):
    """The page with the matches of two seconds of the first clip."""
    page = browse(served).open("/clip/1?segment=60-150")
    page.wait_for_selector("text=/#1:60-150/")
    page.wait_for_function("() => window.studioCounts?.drawCalls === 1")
    page.keyboard.press("F")
    page.wait_for_selector(".cell[data-playing=true]")
    return page


def test_matches_play_in_step_with_one_draw_call_each(found):
    n_cells = found.locator(".cell").count()

    assert n_cells > 4
    seen = found.evaluate(
        "(() => { const box = document.querySelector('.drawing').getBoundingClientRect();"
        " return [...document.querySelectorAll('.cell')].filter((cell) => {"
        "   const one = cell.getBoundingClientRect();"
        "   return one.top < box.bottom && one.bottom > box.top; }).length })()"
    )
    found.wait_for_function(f"() => window.studioCounts.drawCalls === {seen}")
    before = found.evaluate("window.studioCounts.frames")
    found.wait_for_function(f"() => window.studioCounts.frames > {before} + 3")


def test_verdicts_advance_and_teach(found):
    found.keyboard.press("A")
    found.keyboard.press("X")

    assert found.locator(".cell[data-verdict=accepted]").count() == 1
    assert found.locator(".cell[data-verdict=rejected]").count() == 1
    assert found.locator("#match-2[aria-selected=true]").count() == 1
    first = found.locator("#match-0").get_attribute("data-name")
    found.keyboard.press("L")
    found.wait_for_function(
        "(first) => { const cell = document.querySelector('#match-0'); return cell && cell.dataset.name !== first }",
        arg=first,
    )


def test_verdicts_and_basket_outlast_other_searches_and_reloads(found):
    found.keyboard.press("A")
    found.keyboard.press("X")
    found.keyboard.press("B")
    found.wait_for_selector("text=Basket (1)")

    found.keyboard.press("F")  # another query
    found.wait_for_selector("[data-testid=verdicts]:has-text('✓ 0 ✕ 0')")
    found.go_back()
    found.wait_for_selector(".cell[data-verdict=rejected]")
    found.reload()

    found.wait_for_selector(".cell[data-verdict=rejected]")
    assert found.locator("[data-testid=verdicts]").inner_text() == "✓ 1 ✕ 1"
    found.wait_for_selector("text=Basket (1)")


def test_what_was_accepted_is_kept_after_learning(served_copy, browse):
    page = browse(served_copy).open("/find?query=%231:60-150&k=8")
    page.wait_for_selector(".cell[data-playing=true]")
    page.keyboard.press("A")
    page.keyboard.press("X")
    page.keyboard.press("L")
    page.wait_for_selector("[data-testid=learned]:has-text('2 verdicts')")
    assert page.locator(".cell[data-verdict]").count() == 0  # others are listed now
    page.keyboard.press("A")
    page.get_by_label("Name of the selection").fill("taught")
    page.get_by_role("button", name="Keep as selection").click()

    page.wait_for_selector(".notice:has-text('Keep 2 as @taught')")
    with motionary.Bank.open(served_copy.bank) as bank:
        assert bank.selection("taught").n_matches == 2


def test_why_lights_the_limb_and_moves_the_clock(found):
    found.wait_for_selector(".heat td")

    found.locator(".heat tr").first.locator("td").last.hover()

    found.wait_for_function("() => +document.querySelector('canvas[role=slider]').getAttribute('aria-valuenow') > 0.5")


def test_options_are_in_the_address_and_results_follow(found):
    before = found.locator("#match-0").get_attribute("data-name")

    found.get_by_role("button", name="legs", exact=True).click()

    found.wait_for_url("**joints=legs**")
    found.wait_for_function("(before) => document.querySelector('#match-0')?.dataset.name !== before", arg=before)
    found.get_by_text("More options").click()
    for option, value, said in (("weight", "feet=3", "weight=feet"), ("window", "20", "window=20")):
        with found.expect_response("**/api/search"):
            found.locator(f"#option-{option}").fill(value)
        found.wait_for_url(f"**{said}**")
    with found.expect_response("**/api/search"):
        found.get_by_label("Method").select_option("wpca")
    found.wait_for_url("**by=wpca**")
    goes_to(found, "/find?query=%231:60-150&joints=legs")
    found.get_by_role("button", name="Copy as command").click()
    found.wait_for_selector(".notice")
    assert found.evaluate("navigator.clipboard.readText()") == (
        "motionary search library.bank '#1:60-150' -k 24 --joints legs"
    )


def test_one_match_opens_beside_the_query(found):
    found.keyboard.press("Enter")

    found.wait_for_selector("[data-testid=pair]")
    found.wait_for_function("() => window.studioCounts.drawCalls === 1")
    found.keyboard.press("G")
    found.keyboard.press("T")
    found.keyboard.press("Escape")
    found.wait_for_selector(".grid")


def test_what_was_learned_stays_when_labels_change(served_copy, browse):
    page = browse(served_copy).open("/find?query=%231:60-150&k=8")
    page.wait_for_selector(".cell[data-playing=true]")
    page.keyboard.press("A")
    page.keyboard.press("L")
    page.wait_for_selector("[data-testid=found]:not(:has-text('Searching'))")
    page.wait_for_selector("#match-0[aria-selected=true]")
    names = "[...document.querySelectorAll('.cell[data-name]')].map((one) => one.dataset.name).join()"
    learned = page.evaluate(names)

    page.keyboard.press("1")

    page.wait_for_selector(".notice:has-text('Label')")
    assert page.evaluate(names) == learned


def test_a_search_without_a_query_shows_nothing_of_the_last_one(found):
    goes_to(found, "/find")

    found.wait_for_selector("text=Find motions by example")
    assert found.locator("[data-testid=found], .cell, .heat").count() == 0


def test_the_first_search_of_a_large_bank_builds_the_index_first(serve, browse, sample_bank, tmp_path):
    path = tmp_path / "large.bank"
    with motionary.Bank.open(sample_bank) as source, motionary.Bank.open(path, create=True) as bank:
        whole = recording_of(source.motion(source.segment("#1:0-600")))
        for number, n_times in enumerate((8, 9)):  # 10,200 frames
            bank.add(f"long_{number}", replace(whole, values=np.tile(whole.values, (n_times, 1))))
    with serve(path) as served:
        page = browse(served).open("/find?query=%231:60-150&k=4")
        page.wait_for_selector("text=The first search needs the index")

        page.wait_for_selector(".cell[data-playing=true]")

        assert page.locator("[data-job=index]").get_attribute("data-state") == "done"


def test_matches_export_as_a_download(found):
    found.keyboard.press("A")

    with found.expect_download() as download:
        found.get_by_role("button", name="GLB").first.click()

    assert download.value.suggested_filename.endswith(".glb")
    with found.expect_download() as download:
        found.get_by_role("button", name="BVH").first.click()
    assert download.value.suggested_filename.endswith(".zip")  # the motion and its plants


def test_accepted_matches_are_kept_and_the_keeping_undone(served_copy, browse):
    page = browse(served_copy).open("/find?query=%231:60-150&k=6")
    page.wait_for_selector(".cell[data-playing=true]")
    page.keyboard.press("A")
    page.keyboard.press("A")

    page.get_by_label("Name of the selection").fill("two")
    page.get_by_role("button", name="Keep as selection").click()

    page.wait_for_selector(".notice:has-text('Keep 2 as @two')")
    with motionary.Bank.open(served_copy.bank) as bank:
        assert bank.selection("two").n_matches == 2


def test_the_address_says_which_match_of_a_selection_is_chosen(served_copy, browse):
    with motionary.Bank.open(served_copy.bank) as bank:
        motionary.keep_matches(bank, "kept", motionary.search_bank(bank, "#1:60-150", k=4))
    page = browse(served_copy).open("/selection/kept?rank=2")
    page.wait_for_selector("#board-1[aria-selected=true]")

    page.keyboard.press("]")

    page.wait_for_url("**/selection/kept?rank=3")
    page.reload()
    page.wait_for_selector("#board-2[aria-selected=true]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/clip/**")


def test_a_search_that_finds_nothing_says_so(served, browse):
    page = browse(served).open("/find?query=%231:60-150&within=0.001")

    page.wait_for_selector("[role=status] h1:has-text('No match')")
    page.wait_for_selector("text=/No match in [0-9,]+ windows/")


def test_a_query_that_is_none_is_told(served, browse):
    page = browse(served).open("/find?query=nonsense")

    page.wait_for_selector("text=This search cannot be done")
