"""The keys that docs/studio.md lists are those of the page, and every action has one of its own."""

import re
from collections import Counter
from pathlib import Path

import motionary
from studio.conftest import goes_to

PAGE = Path(__file__).parents[2] / "docs" / "studio.md"
VIEWS = (
    "/clip/1?segment=60-150",
    "/find?query=%231:60-150",
    "/space",
    "/review",
    "/selection/kept",
    "/transition/judge",
)
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
    wanted = {}
    for view in VIEWS:
        goes_to(page, view)
        page.wait_for_selector("main .drawing")
        page.keyboard.press("?")
        page.wait_for_selector(".keys li")
        listed = page.evaluate(LISTED)
        page.keyboard.press("Escape")
        page.wait_for_selector(".keys", state="detached")
        twice = [key for key, n in Counter(key for _, keys, _ in listed for key in keys.split()).items() if n > 1]
        assert twice == [], view
        wanted |= {row_of(*one): None for one in listed}

    documented = [line for line in PAGE.read_text().splitlines() if re.match(r"\| [A-Z]\w+ \| `", line)]
    missing = [row for row in wanted if row not in documented]
    assert missing == [], "\n".join(missing)
    assert [row for row in documented if row not in wanted] == []


def row_of(group, keys, title):
    """The row of the table; labels have one for all their keys."""
    if re.fullmatch(r"Label \d", title):
        return "| Labels | `1` … `9` | Put this label on; the keys of labels are shown beside them |"
    return f"| {group} | {' '.join(f'`{key}`' for key in keys.split())} | {title} |"
