import subprocess
import sys
from importlib import import_module
from importlib.metadata import version

import pytest

KERNELS = """
import sys
import numpy as np
from motionary.cli.starting import import_blas_on_use

import_blas_on_use()
import_blas_on_use()
from numba import njit

@njit
def total(a):
    return a.sum()

assert total(np.ones(3)) == 3.0
assert "scipy.linalg" not in sys.modules, "imported although nobody needs it"
assert sum("starting" in type(one).__module__ for one in sys.meta_path) == 0

@njit
def product(a, b):
    return np.dot(a, b), np.linalg.solve(a, b[:, 0])

both, solved = product(np.diag([1.0, 2.0]), np.ones((2, 2)))
assert both.tolist() == [[1.0, 1.0], [2.0, 2.0]]
assert solved.tolist() == [1.0, 0.5]
import scipy.linalg
"""


@pytest.mark.thorough
def test_blas_is_imported_by_kernels_that_need_it_only():
    done = subprocess.run([sys.executable, "-c", KERNELS], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stderr.count("compiling kernels; ") == 1  # two, but it is said once


def test_module_runs_the_command_line():
    done = subprocess.run([sys.executable, "-m", "motionary", "--version"], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stdout == f"motionary {version('motionary')}\n"


def test_module_imports_without_running():
    import_module("motionary.__main__")
