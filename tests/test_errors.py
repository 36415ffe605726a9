import pickle
from pathlib import Path

import pytest

from motionary import errors
from motionary.errors import BankError, MappingError, MotionFileError, NotInBankError, SkeletonError, UserError


def test_a_file_error_names_place_problem_and_remedy():
    error = MotionFileError(Path("walks/a.bvh"), 12, "frame 3 has 5 values, expected 6", "The file may be cut off.")

    assert str(error) == "walks/a.bvh:12: frame 3 has 5 values, expected 6. The file may be cut off."
    assert (error.path, error.line) == (Path("walks/a.bvh"), 12)


def test_a_file_error_without_a_line_names_the_file():
    assert (
        str(MotionFileError("a.bvh", None, "it is empty", "Export it again.")) == "a.bvh: it is empty. Export it again."
    )


def test_a_file_error_travels_between_processes():
    error = MotionFileError("a.bvh", 7, "no HIERARCHY", "Is it a BVH file?")

    back = pickle.loads(pickle.dumps(error))

    assert str(back) == str(error)
    assert (back.path, back.line, back.problem, back.remedy) == (Path("a.bvh"), 7, "no HIERARCHY", "Is it a BVH file?")


@pytest.mark.parametrize(
    "name", [name for name, kind in vars(errors).items() if isinstance(kind, type) and name != "Path"]
)
def test_every_error_is_a_users_and_stands_in_the_tree(name):
    assert issubclass(getattr(errors, name), UserError)
    assert name in errors.__doc__


def test_the_tree_is_as_it_is_drawn():
    assert issubclass(MappingError, SkeletonError)
    assert issubclass(NotInBankError, BankError)
