"""Pose spaces on the command line, end to end."""

import json

import pytest


@pytest.fixture
def bank(run, captures, monkeypatch):
    monkeypatch.chdir(captures)
    run("import", "a.bank", "captures")
    return "a.bank"
