"""Whatever changes the bank: labels, review, log, undo and redo, import, other processes."""

import pytest

import motionary


@pytest.fixture
def marked(served_copy, browse):
    """A page with a marked segment of a bank that may be changed."""
    page = browse(served_copy).open("/clip/1?segment=60-150")
    page.wait_for_selector("[aria-label='Label by keys'] h2:has-text('#1:60-150')")
    page.wait_for_function("() => window.studioCounts?.drawCalls === 1")
    return page


def labels_on(bank_path, start, stop):
    with motionary.Bank.open(bank_path) as bank:
        return set(bank.labels_on(motionary.Segment(1, start, stop)))


def test_labels_by_keys_are_undone_and_redone(marked, served_copy):
    marked.get_by_label("Another label").fill("odd one")
    marked.get_by_label("Another label").press("Enter")
    marked.wait_for_selector(".notice:has-text('Label odd one')")
    assert "odd one" in labels_on(served_copy.bank, 60, 150)

    marked.locator("canvas[role=slider]").focus()
    marked.keyboard.press("Control+Z")
    marked.wait_for_selector(".notice:has-text('Undone: Label odd one')")
    assert "odd one" not in labels_on(served_copy.bank, 60, 150)

    marked.keyboard.press("Control+Shift+Z")
    marked.wait_for_selector(".notice:has-text('Redone')")
    assert "odd one" in labels_on(served_copy.bank, 60, 150)

    with marked.expect_response("**/api/labels"):
        marked.keyboard.press("1")  # the label that was typed in has the first key
    marked.wait_for_selector(".notice:has-text('nothing to change')")


def test_a_notice_offers_to_undo_what_it_tells_while_that_was_the_last(marked, served_copy):
    marked.get_by_label("Another label").fill("first")
    marked.get_by_label("Another label").press("Enter")
    marked.wait_for_selector(".notice:has-text('Done: Label first on #1:60-150')")
    marked.get_by_label("Another label").fill("second")
    marked.get_by_label("Another label").press("Enter")
    marked.wait_for_selector(".notice:has-text('Label second')")
    assert marked.locator(".notice").get_by_role("button", name="Undo").count() == 1

    marked.locator(".notice").get_by_role("button", name="Undo").click()

    marked.wait_for_selector(".notice:has-text('Undone: Label second')")
    assert "second" not in labels_on(served_copy.bank, 60, 150)
    assert "first" in labels_on(served_copy.bank, 60, 150)


def test_two_undos_at_once_take_back_two_changes(marked, served_copy):
    for name in ("first", "second"):
        marked.get_by_label("Another label").fill(name)
        marked.get_by_label("Another label").press("Enter")
        marked.wait_for_selector(f".notice:has-text('Label {name}')")
    marked.locator("canvas[role=slider]").focus()

    marked.keyboard.press("Control+Z")
    marked.keyboard.press("Control+Z")

    marked.wait_for_selector(".notice:has-text('Undone: Label first')")
    assert labels_on(served_copy.bank, 60, 150).isdisjoint({"first", "second"})


def test_keys_of_labels_stay_while_labels_change(marked, served_copy):
    keys = marked.locator("[aria-label='Label by keys'] button:has(kbd)")
    before = keys.all_text_contents()
    label = before[-1].split(maxsplit=1)[1]
    with motionary.Bank.open(served_copy.bank) as bank:  # which makes it the most frequent
        bank.label([motionary.Segment(1, 60 + n, 150 - n) for n in range(40)], [label])

    marked.get_by_role("button", name=f"Take {label} off").nth(39).wait_for()

    assert keys.all_text_contents() == before


def test_what_another_process_changes_appears(marked, served_copy):
    with motionary.Bank.open(served_copy.bank) as bank:
        bank.label([motionary.Segment(1, 60, 150)], ["from elsewhere"])

    marked.wait_for_selector(".right .chip:has-text('from elsewhere')")


def test_any_change_of_the_log_is_undone(marked, served_copy):
    with motionary.Bank.open(served_copy.bank) as bank:
        bank.label([motionary.Segment(1, 60, 150)], ["wrong"])

    marked.get_by_role("button", name="Log").click()
    marked.locator("tbody tr").first.get_by_role("button", name="Undo change").click()

    marked.wait_for_selector("tbody tr:has-text('undone by')")
    assert "wrong" not in labels_on(served_copy.bank, 60, 150)


def test_labels_are_spread_reviewed_and_accepted(served_copy, browse):
    with motionary.Bank.open(served_copy.bank) as bank:
        for known in [label for label, _, _ in bank.label_counts()]:
            bank.unlabel(bank.clips(), [known])
        bank.label([motionary.Segment(1, 60, 120)], ["mine"])
    page = browse(served_copy).open("/review?label=mine")
    page.get_by_role("button", name="Spread this label").click()
    page.wait_for_selector("[data-job=spread][data-state=done]", timeout=120_000)
    page.wait_for_selector("#spread-0")
    n_spread = page.locator("[id^=spread-]").count()

    page.keyboard.press("Control+Z")  # what a job did is undone, too
    page.wait_for_selector("text=Nothing to review")
    page.keyboard.press("Control+Shift+Z")
    page.wait_for_selector(f"#spread-{n_spread - 1}")

    page.keyboard.press("A")
    page.keyboard.press("X")

    page.wait_for_selector(".notice:has-text('Accept mine')")
    page.wait_for_selector(".notice:has-text('Reject mine')")
    page.wait_for_function(f"() => document.querySelectorAll('[id^=spread-]').length === {n_spread - 2}")
    with motionary.Bank.open(served_copy.bank) as bank:
        assert len(bank.unreviewed_labels()) == n_spread - 2
    page.keyboard.press("Control+Z")
    page.wait_for_function(f"() => document.querySelectorAll('[id^=spread-]').length === {n_spread - 1}")


def test_it_is_told_what_came_of_spreading_a_label(served_copy, browse):
    page = browse(served_copy).open("/review?label=idle")
    page.get_by_label("Certainty").select_option("0.95")

    page.get_by_role("button", name="Spread this label").click()

    page.wait_for_selector("[data-testid=spread]", timeout=120_000)
    with motionary.Bank.open(served_copy.bank) as bank:
        n_spread = len(bank.unreviewed_labels())
    told = page.locator("[data-testid=spread]").inner_text()
    assert told.startswith(f"{n_spread} segment" if n_spread else "Nothing else is 95 % certain to be idle.")


def test_dropped_files_are_imported_with_a_report(served_copy, browse, tmp_path):
    path = exported(served_copy, tmp_path)
    page = browse(served_copy).open()
    page.wait_for_selector(".clip[data-ready=true]")

    page.get_by_label("Import files").set_input_files(path)
    page.get_by_role("button", name="Import into the bank").click()

    page.wait_for_selector("dialog >> text=imported", timeout=60_000)
    assert page.locator("dialog").inner_text().startswith(("1 clip imported", "0 clips imported"))


def test_a_dropped_file_is_searched_with(served_copy, browse, tmp_path):
    path = exported(served_copy, tmp_path)
    page = browse(served_copy).open()
    page.wait_for_selector(".clip[data-ready=true]")

    dropped = page.evaluate_handle(
        "(text) => { const all = new DataTransfer(); all.items.add(new File([text], 'take.bvh')); return all }",
        path.read_text(),
    )
    page.dispatch_event("body", "dragenter", {"dataTransfer": dropped})
    page.wait_for_selector("text=Drop motion files")
    page.dispatch_event("body", "drop", {"dataTransfer": dropped})
    page.get_by_role("button", name="Search with it").click()

    page.wait_for_selector(".cell[data-playing=true]", timeout=60_000)
    assert page.locator("[data-testid=query]").inner_text().startswith("Query")


def exported(served, folder):
    """A BVH file of two seconds of the bank."""
    with motionary.Bank.open(served.bank) as bank:
        path = folder / "take.bvh"
        motionary.export(bank, [bank.segment("#1:60-180")], path)
    return path
