"""What is made from motions: clean-ups, edits, blends, transitions, graphs; and boards and spaces."""

import motionary
from studio.conftest import goes_to


def drawn(page):
    """Wait until the stage has drawn something."""
    page.wait_for_function("() => window.studioCounts?.drawCalls >= 1")


def middle(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def n_layers(served):
    with motionary.Bank.open(served.bank) as bank:
        return len(bank.edit_rows(bank.clip("#1")))


def test_feet_are_cleaned_after_a_look_at_both(served_copy, browse):
    page = browse(served_copy).open("/feet?segment=%231:60-150")
    page.wait_for_selector("text=/plants held/")
    drawn(page)

    page.get_by_role("button", name="Apply").click()

    page.wait_for_selector(".notice:has-text('Clean feet')")
    page.wait_for_url("**/clip/1**")


def test_plants_are_dragged_on_the_timeline(served_copy, browse):
    page = browse(served_copy).open("/clip/1")
    page.wait_for_selector("canvas[role=slider]")
    drawn(page)
    with motionary.Bank.open(served_copy.bank) as bank:
        plants = motionary.performance(bank, bank.clip("#1")).clip_plants
        plant = max((one for one in plants if one.foot == "left"), key=lambda one: one.stop - one.start)
        frames = bank.clip("#1").n_frames
    box = page.locator("canvas[role=slider]").bounding_box()
    lane = page.locator(".names").get_by_text("L", exact=True).bounding_box()
    y = lane["y"] + lane["height"] / 2
    x = box["x"] + plant.stop / frames * box["width"] - 1

    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 12, y, steps=4)
    page.mouse.up()

    page.wait_for_selector(".notice:has-text('Change plants')")
    page.keyboard.press("Control+Z")
    page.wait_for_selector(".notice:has-text('Undone: Change plants')")

    goes_to(page, f"/clip/1#t={plant.stop - 4}")
    page.reload()
    page.wait_for_function(f"() => document.querySelector('[role=slider]')?.ariaValueNow === '{plant.stop - 4}'")
    page.keyboard.press("Alt+2")  # by key alone
    page.wait_for_selector(".notice:has-text('Change plants')")
    with motionary.Bank.open(served_copy.bank) as bank:
        moved = motionary.performance(bank, bank.clip("#1")).clip_plants
        assert plant.stop - 3 in {one.stop for one in moved if one.foot == "left"}


def test_an_edit_that_changes_nothing_yet_says_so_and_cannot_be_applied(served, browse):
    page = browse(served).open("/edit?segment=%231:60-150&operation=bands")

    page.wait_for_selector("text=So far it changes nothing")
    # The camera sees figures, not the bare ground
    page.wait_for_function("() => window.studioView && window.studioView()[1] > 1.2")
    assert page.get_by_role("button", name="Apply to 0 segments").is_disabled()


def test_the_segment_is_shown_before_an_operation_is_chosen(served, browse):
    page = browse(served).open("/edit?segment=%231:60-150")

    page.wait_for_selector("text=What shall be changed?")
    page.wait_for_function("() => window.studioView && window.studioView()[1] > 1.2")  # a figure, not the bare ground
    page.wait_for_selector(".right >> text=#1:60-150")


def test_an_edit_is_previewed_on_all_matches_applied_and_undone(served_copy, browse):
    page = browse(served_copy).open("/edit?segment=%231:60-150&operation=wave-shape")
    drawn(page)
    page.get_by_label("undulation").fill("0.8")
    page.get_by_label("Apply to").select_option("search")
    page.wait_for_selector("[data-edit='3']")
    n_edits = page.locator("[data-edit]").count()

    page.locator("[data-edit='2']").click()
    page.locator("[data-edit='3']").click()
    page.wait_for_selector("[data-edit='3'][data-verdict=rejected]")
    page.locator("[data-edit='3']").click()
    page.wait_for_selector("[data-edit='3']:not([data-verdict])")
    assert page.locator("[data-edit]").count() == n_edits  # what was taken out is still there
    page.get_by_role("button", name=f"Apply to {n_edits - 1} segments").click()
    page.wait_for_selector(".notice:has-text('Apply wave-shape')")
    page.wait_for_selector("text=What shall be changed?")  # nothing is put on twice
    page.wait_for_selector("[data-layer]")
    page.keyboard.press("Control+Z")
    page.wait_for_selector(".notice:has-text('Undone')")

    page.get_by_label("Operation").select_option("wave-shape")
    page.get_by_role("button", name="Apply to 1 segment").click()
    page.wait_for_selector("[data-layer]")
    assert n_layers(served_copy) == 1
    page.keyboard.press("Control+Z")
    page.wait_for_function("() => !document.querySelector('[data-layer]')")
    assert n_layers(served_copy) == 0
    page.keyboard.press("Control+Shift+Z")
    page.get_by_role("button", name="Remove layer 1").click()
    page.wait_for_function("() => !document.querySelector('[data-layer]')")
    assert n_layers(served_copy) == 0


def test_a_target_is_dragged_with_the_blend_following(served_copy, browse):
    label = reaching_label(served_copy)
    page = browse(served_copy).open("/parametric")
    page.get_by_label("Name", exact=True).fill("raise")
    page.get_by_label("Examples").select_option(label)
    page.get_by_role("button", name="What fits?").click()
    page.wait_for_selector("[data-testid=fit]:has-text('fit together')")
    page.get_by_role("button", name="Make", exact=True).click()
    page.wait_for_url("**/parametric/raise", timeout=120_000)
    page.wait_for_selector("text=/RightHand up/")
    drawn(page)

    assert any(is_dragged(page, 15, 40) for _ in range(12))
    with page.expect_response("**/ask"):  # or by key alone
        page.get_by_label("RightHand up").press("ArrowRight")

    page.get_by_label("Name of the clip").fill("raised")
    page.get_by_role("button", name="Keep").click()
    page.wait_for_selector(".notice:has-text('Keep raised')")
    with motionary.Bank.open(served_copy.bank) as bank:
        assert bank.clip("raised").n_frames > 10


def is_dragged(page, dx, dy):
    """Drag the first handle. While the camera still moves, it is missed: its place is no longer where it was read."""
    from playwright.sync_api import TimeoutError as NoResponse

    x, y = page.evaluate("window.studioHandles()[0]")
    page.mouse.move(x, y)
    page.mouse.down()
    try:
        with page.expect_response("**/ask", timeout=10_000):
            page.mouse.move(x + dx, y + dy, steps=4)
    except NoResponse:
        return False
    finally:
        page.mouse.up()
    return True


def reaching_label(served):
    """A label with several segments that blend."""
    with motionary.Bank.open(served.bank) as bank:
        counts = {name: n for name, _, n in bank.label_counts()}
    return max((name for name in counts if name not in ("idle",)), key=counts.__getitem__)


def test_transitions_are_scored_and_made_anew(served, browse):
    page = browse(served).open("/transition?from=%231:100&to=%232:100&secs=0.6")
    page.wait_for_selector("[data-testid=transition]")
    drawn(page)
    assert "cm" in page.locator("[data-testid=transition]").inner_text()

    page.get_by_label("Seconds").fill("0.8")
    page.get_by_label("Seconds").press("Enter")

    page.wait_for_url("**secs=0.8**")
    page.wait_for_selector("[data-testid=transition]")
    assert page.locator(".lane span").count() > 5
    with page.expect_response("**/transitions"):
        page.get_by_role("button", name="Another").click()
    page.wait_for_url("**seed=1**")


def test_moments_that_were_picked_are_in_the_transition_view(served, browse):
    page = browse(served).open("/clip/1#t=100")
    page.get_by_role("button", name="From here").click()
    goes_to(page, "/clip/2#t=30")
    page.wait_for_function("() => document.querySelector('[role=slider]')?.ariaValueNow === '30'")
    page.get_by_role("button", name="To here").click()

    page.get_by_role("button", name="Transition", exact=True).click()

    page.wait_for_url("**/transition?from=%231%3A100&to=%232%3A30")
    page.wait_for_selector("[data-testid=transition]")


def test_pairs_of_transitions_are_judged_by_key(served_copy, browse):
    with motionary.Bank.open(served_copy.bank) as bank:
        motionary.build_transitions(bank, labels=["idle", "walk"], secs=1.0, representatives=4)
    page = browse(served_copy).open("/transition/judge")
    page.wait_for_selector("[role=img][aria-label=B]")
    drawn(page)

    page.keyboard.press("A")

    page.wait_for_selector("[role=status]:has-text('1 pair judged')")
    page.wait_for_selector("[role=img][aria-label=B]")
    page.keyboard.press("Control+Z")
    page.wait_for_selector(".notice:has-text('Undone: Verdict a')")


def test_motion_follows_a_path_and_goes_to_a_label(served_copy, browse, understood):
    page = browse(served_copy).open("/graph")
    page.get_by_role("button", name="Build the motion graph").click()
    page.wait_for_selector("[data-job=graph][data-state=done]", timeout=120_000)
    page.wait_for_selector("text=/transitions/")
    x, y = middle(page, "[data-testid=made]")

    page.mouse.move(x - 120, y + 60)
    page.mouse.down()
    page.mouse.move(x + 120, y + 60, steps=12)
    page.mouse.up()

    page.wait_for_selector("text=/off the path/", timeout=60_000)
    assert page.locator(".lane span").count() >= 1
    understood(page, served_copy.bank, "graph follow library.bank -- ")

    with page.expect_response("**/follow"):  # by key alone
        page.get_by_label("Path in metres").fill("0,0 1,0 2,1")
        page.get_by_label("Path in metres").press("Enter")
    understood(page, served_copy.bank, "0.00,0.00 1.00,0.00 2.00,1.00")
    page.reload()  # the address has the path
    page.wait_for_selector("text=/off the path/", timeout=60_000)
    goes_to(page, "/log")
    goes_to(page, "/graph")
    page.wait_for_url("**/graph?path=**")
    page.wait_for_selector("text=/off the path/")

    label = page.get_by_label("Way to a label").locator("option").last.inner_text()
    page.get_by_label("Way from").fill("#1:10")
    page.get_by_label("Way to a label").select_option(label)

    page.wait_for_function("() => !/off the path/.test(document.querySelector('[data-testid=graph]').textContent)")
    page.wait_for_selector("[data-testid=graph]:has-text('transitions')")
    understood(page, served_copy.bank, f"graph path library.bank '#1:10' --label {label}")


def test_a_chain_of_the_match_graph_plays_and_a_match_is_rejected(served_copy, browse, understood):
    with motionary.Bank.open(served_copy.bank) as bank:
        motionary.build_web(bank)
    page = browse(served_copy).open("/find?query=%231:1-38&by=web")
    match = page.locator("[data-testid=match-graph] [role=button]:not([aria-label$='step 0'])").first
    match.wait_for()
    name = match.get_attribute("aria-label")

    match.click()
    page.wait_for_selector("[data-testid=pair]")
    match.press("X")

    page.wait_for_url("**reject=**")
    page.wait_for_function(
        "(name) => [...document.querySelectorAll('[data-testid=match-graph] [role=button]')]"
        ".every((one) => one.getAttribute('aria-label') !== name || one.getAttribute('opacity') === '0.45')",
        arg=name,
    )
    understood(page, served_copy.bank, "--by web")


def test_what_recurs_is_a_board_of_figures(served, browse):
    page = browse(served).open("/motifs")

    page.get_by_role("button", name="Find motifs").click()
    page.wait_for_selector("[data-job=motifs]")
    page.reload()  # the job goes on, and the page follows it

    page.wait_for_selector(".board .cell[data-playing=true]", timeout=120_000)
    page.keyboard.press("F")
    page.wait_for_url("**/find?query=**")


def test_brushing_a_curve_of_a_space_marks_a_segment(served, browse):
    page = browse(served).open("/space")
    page.wait_for_selector("text=/curves?; brush one/")
    box = page.locator(".drawing canvas").bounding_box()
    # Somewhere along a row through the middle there is a curve
    for step in range(60):
        page.mouse.move(box["x"] + box["width"] * (0.05 + 0.015 * step), box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(
            box["x"] + box["width"] * (0.05 + 0.015 * step) + 60, box["y"] + box["height"] / 2 + 30, steps=3
        )
        page.mouse.up()
        if page.get_by_role("button", name="Find like this").is_enabled():
            break

    page.get_by_role("button", name="Find like this").click()

    page.wait_for_url("**/find?query=**")


def test_a_curve_is_brushed_by_keys(served, browse):
    page = browse(served).open("/space?label=walk")
    page.wait_for_selector("text=/curves?; brush one/")
    page.keyboard.press("Space")  # the dots stand still

    page.keyboard.press("]")
    page.keyboard.press("I")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("O")
    page.wait_for_selector("[data-testid=brushed]:has-text('#')")
    page.keyboard.press("F")

    page.wait_for_url("**/find?query=**")


def test_what_is_unusual_is_a_board_and_a_job_can_be_ended(served, browse):
    page = browse(served).open("/surprises")

    page.get_by_role("button", name="Find surprises").click()
    page.get_by_role("button", name="Cancel surprises").click()

    page.wait_for_selector("[data-job=surprises][data-state=cancelled]")
    page.get_by_role("button", name="Find surprises").click()
    page.wait_for_selector(".board .cell[data-playing=true]")
    page.keyboard.press("B")
    page.wait_for_selector("text=Basket (1)")
