"""The keys that docs/studio.md lists are those of the page, and every action has one of its own."""

from collections import Counter
from pathlib import Path

import motionary
from studio.conftest import goes_to

PAGE = Path(__file__).parents[2] / "docs" / "studio.md"
VIEWS = ("/clip/1?segment=60-150", "/find?query=%231:60-150", "/space", "/review", "/selection/kept", "/transition/judge")
LISTED = """() => [...document.querySelectorAll('.keys section')].flatMap((section) =>
    [...section.querySelectorAll('li')].map((row) => [
        section.querySelector('h2').textContent,
        [...row.querySelectorAll('kbd')].map((key) => key.textContent).join(' '),
        row.querySelector('span').textContent]))"""


def test_the_page_and_its_documentation_list_the_same_keys(served_copy, browse):
    with motionary.Bank.open(served_copy.bank) as bank:
        motionary.keep_matches(bank, "kept", motionary.search_bank(bank, "#1:60-150", k=2))
    page = browse(served_copy).open()
    page.wait_for_selector(".clip[data-ready=true]")
    rows = {}
    for view in VIEWS:
        goes_to(page, view)
        page.wait_for_function("() => document.querySelector('main .drawing')")
        page.keyboard.press("?")
        page.wait_for_selector(".keys li")
        listed = page.evaluate(LISTED)
        page.keyboard.press("Escape")
        page.wait_for_selector(".keys", state="detached")
        twice = [key for key, n in Counter(key for _, keys, _ in listed for key in keys.split()).items() if n > 1]
        assert twice == [], view
        rows |= {f"| {group} | {' '.join(f'`{key}`' for key in keys.split())} | {title} |": None for group, keys, title in listed}

    in_docs = [line for line in PAGE.read_text().splitlines() if line.startswith("| ") and line.count("|") == 4]
    wanted = sorted(rows, key=lambda row: row.split("|")[1])
    assert [line for line in wanted if line not in in_docs] == []
    documented = [line for line in in_docs if line.split("|")[2].strip().startswith("`")]
    assert [line for line in documented if line not in wanted] == []
