"""What "Copy as command" and "Copy as Python" give is understood by the command line, and runs in Python."""

from studio.conftest import goes_to

SCREENS = {
    "/clip/1?segment=60-150": "show library.bank '#1:60-150'",
    "/find?query=%231:60-150&joints=arms&weight=hands=3&window=20&k=3&mirror=no": "--weight hands=3",
    "/find?query=%231:60-150&by=wpca&k=3": "--by wpca",
    "/space": "space show",
    "/selection": "selection ls",
    "/review?label=idle": "label review library.bank --label idle",
    "/parametric": "parametric ls",
    "/transition?from=%231:100&to=%232:100&secs=0.6": "transition make library.bank '#1:100' '#2:100'",
    "/transition?from=%231:100&label=idle&secs=0.6": "--label idle",
    "/edit?segment=%231:60-150&operation=wave-shape": "edit apply library.bank '#1:60-150' wave-shape",
    "/feet?segment=%231:60-150": "clean library.bank",
    "/log": "log library.bank",
}
NOT_RUN = {
    "/motifs": "motifs",
    "/surprises": "surprises",
    "/graph": "graph walk",
    "/transition/judge": "transition judge",
}


def test_what_is_copied_is_understood(served_copy, browse, understood):
    page = browse(served_copy).open()
    page.wait_for_selector(".clip[data-ready=true]")
    for screen, command in (SCREENS | NOT_RUN).items():
        goes_to(page, screen)
        understood(page, served_copy.bank, command, run=screen in SCREENS)
