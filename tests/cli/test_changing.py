"""Taking changes back, and bringing them back."""

import json


def test_undo_says_how_to_bring_back_what_it_took_back(run):
    run("rename", "a.bank", "sway_01", "quiet")

    said = run("undo", "a.bank").stderr

    assert "redoes it" in said
    redo = said.split("`")[1].split()[1:]
    assert "quiet" not in run("ls", "a.bank").stdout
    assert "undone: change" in run(*redo).stdout
    assert "quiet" in run("ls", "a.bank").stdout


def test_undo_tells_the_change_as_json(run):
    run("rename", "a.bank", "sway_01", "quiet")

    undone = json.loads(run("undo", "a.bank", "--json").stdout)
    newest, changed = map(json.loads, run("log", "a.bank", "--last", "2", "--json").stdout.splitlines())

    assert undone == changed
    assert (undone["undone_by"], newest["undoes"]) == (newest["change"], undone["change"])
