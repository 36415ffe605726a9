"""The twelve tasks count what was judged by eye as it was judged, and all else by labels."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "bench" / "tasks.py"


@pytest.fixture(scope="module")
def tasks():
    spec = importlib.util.spec_from_file_location("tasks_of_bench", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def match(rank, clip, start, stop, *labels, description=""):
    return {"rank": rank, "clip": clip, "start": start, "stop": stop, "labels": labels, "description": description}


def test_verdicts_correct_labels_where_half_the_frames_were_judged(tasks, monkeypatch, capsys):
    monkeypatch.setattr(tasks, "VERDICTS", {"kick": ("a:0-10", "b:100-120")})
    task = tasks.Task("kick", "q:0-10", ("kick",))
    found = [
        match(1, "a", 5, 15),  # judged right
        match(2, "a", 6, 16),  # too few of its frames were judged
        match(3, "b", 110, 130, "kick"),  # judged wrong
        match(4, "c", 0, 10, "kick"),
        match(5, "c", 20, 30, "walk"),
    ]

    count = tasks.Count.of(task, found)

    assert (count.by_label, count.by_eye, count.unjudged) == (2, 2, ("kick: a:6-16",))
    assert tasks.ratings(task, found) == ["--accept", "1,4", "--reject", "2,3,5"]
    assert "  1 a:5-15  no; by eye: yes" in capsys.readouterr().out


def test_every_task_has_words_labels_and_a_reason_for_what_comes_then(tasks):
    assert len(tasks.TASKS) == 12
    assert {*tasks.VERDICTS} <= {task.name for task in tasks.TASKS}
    for task in tasks.TASKS:
        assert task.words
        assert task.labels
        assert bool(task.then) == bool(task.because)
