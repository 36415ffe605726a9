"""Errors that people can mend: each says where it is, what is wrong and what to do.

UserError
├── MotionFileError      a motion file is not what its format requires (path, line)
├── SkeletonError        skeletons, joints or channels that do not fit together
│   ├── ChannelError     a motion that a file's channels cannot hold
│   └── MappingError     a skeleton that cannot be mapped onto the reference skeleton
├── BankError            a bank is missing, damaged, locked or of another version
│   ├── NoBankError      there is no bank at a path (path)
│   ├── ForeignBankError       something else has changed a bank: tables are missing, triggers are not ours
│   ├── DamagedArtefactError   derived data beside a bank are not what was written; they are built again
│   └── NotInBankError   a clip, segment or label that the bank does not hold
└── UsageError           a value on the command line or in a call that cannot be understood
    ├── ArgumentError    one argument of a call has a wrong value (name, problem)
    └── ExtrapolationError     weights below 0 on motions that are too unlike to be extrapolated

Anything else that is raised is a bug, and keeps its traceback.
"""

from pathlib import Path


class UserError(Exception):
    """Something a user can mend; the message is written for people."""


class MotionFileError(UserError):
    """A motion file is not what its format requires."""

    def __init__(self, path: Path | str, line: int | None, problem: str, remedy: str) -> None:
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {problem}. {remedy}")
        self.path, self.line, self.problem, self.remedy = Path(path), line, problem, remedy

    def __reduce__(self) -> tuple[type, tuple[Path, int | None, str, str]]:
        return type(self), (self.path, self.line, self.problem, self.remedy)


class SkeletonError(UserError):
    """Skeletons, joints or channels that do not fit together."""


class ChannelError(SkeletonError):
    """A motion that a file's channels cannot hold."""


class MappingError(SkeletonError):
    """A skeleton that cannot be mapped onto the reference skeleton."""


class BankError(UserError):
    """A bank is missing, damaged, locked or of another version."""


class NoBankError(BankError):
    """There is no bank at a path; `near` are banks in that folder with nearly its name."""

    def __init__(self, path: Path, near: tuple[Path, ...] = ()) -> None:
        meant = f"Did you mean {' or '.join(map(str, near))}? " if near else ""
        super().__init__(f"{path}: no such bank. {meant}`motionary import {path} FOLDER` creates it from your files")
        self.path, self.near = path, near

    def __reduce__(self) -> tuple[type, tuple[Path, tuple[Path, ...]]]:
        return type(self), (self.path, self.near)


class ForeignBankError(BankError):
    """Something else has changed a bank: tables are missing, or triggers are not ours."""


class DamagedArtefactError(BankError):
    """Derived data beside a bank are not what was written. Whoever built them builds them again."""

    def __init__(self, problem: str, folder: Path | None = None) -> None:
        remedy = "" if folder is None else f"{folder}: "
        super().__init__(f"{remedy}{problem}; it is derived data, and the same command builds it again")
        self.problem, self.folder = problem, folder

    def __reduce__(self) -> tuple[type, tuple[str, Path | None]]:
        return type(self), (self.problem, self.folder)


class NotInBankError(BankError):
    """A clip, segment or label that the bank does not hold."""


class UsageError(UserError):
    """A value on the command line or in a call that cannot be understood."""


class ExtrapolationError(UsageError):
    """Weights below 0 on motions that are too unlike to be extrapolated."""


class ArgumentError(UsageError):
    """One argument of a call has a wrong value; the message begins with the argument's name."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name} {problem}")
        self.name, self.problem = name, problem

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.name, self.problem)
