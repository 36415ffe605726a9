"""Packages that import their names when they are used."""

import subprocess
import sys
import types

import pytest

import motionary.motion
from motionary.motion import Motion
from motionary.motion.motion import Motion as same_motion


def test_names_are_those_of_the_modules_they_come_from():
    assert Motion is same_motion
    assert {"Motion", "mirror"} <= set(dir(motionary.motion))


def test_a_module_never_hides_the_public_name_that_it_shares():
    code = """import motionary.motion.mirror, motionary.library.performance, motionary.alignment.dtw
from motionary.alignment import dtw
from motionary.library import performance
from motionary.motion import mirror
print(mirror.__name__, performance.__name__, dtw.__name__)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.stdout.split() == ["mirror", "performance", "dtw"], done.stderr


def test_modules_are_reached_as_ever():
    from motionary.motion import rotations

    assert isinstance(rotations, types.ModuleType)


def test_what_a_package_has_not_is_an_error():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        motionary.motion.nothing  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'nothing'"):
        from motionary.motion import nothing  # noqa: F401
