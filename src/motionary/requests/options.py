"""The fields of a request: their options on the command line, and the checks of their values."""

import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from motionary.arguments import factors, integer, number, numbers, texts, words
from motionary.errors import ArgumentError
from motionary.requests.forms import Form

_OPTION = "option"


@dataclass(frozen=True, kw_only=True)
class Option:
    """What is to be known of a field beside its type and default."""

    help: str
    flags: tuple[str, ...] | None = ()  # (): --field-name; None: no option, Python only
    group: str = ""  # the heading that --help-all lists it under
    basic: bool = False  # whether --help lists it, too
    form: Form | None = None  # None: as its type says
    metavar: str | None = None
    at_least: float | None = None
    at_most: float | None = None
    shown_default: str | None = None  # in place of the default, where that says little


@dataclass(frozen=True)
class Setting:
    """One field of a request, with all that command lines, checks and schemas need."""

    name: str
    type: Any  # without None
    default: Any  # MISSING if it must be given
    is_optional: bool  # whether it may be None
    option: Option

    @property
    def flags(self) -> tuple[str, ...]:
        """How it is called on the command line; () for what exists in Python only."""
        if self.option.flags is None:
            return ()
        return self.option.flags or ("--" + self.name.replace("_", "-"),)

    @property
    def flag(self) -> str:
        """The flag that messages call it by."""
        return max(self.flags, key=len)

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it may be; () if it is not a choice."""
        return get_args(self.type) if get_origin(self.type) is Literal else ()

    def checked(self, value: Any) -> Any:
        """The value as its type has it: any kind of number, a list for a tuple; raises what it cannot be."""
        if value is None and self.is_optional:
            return None
        if self.choices:
            if value not in self.choices:
                raise ArgumentError(self.name, f"must be {_or(self.choices)}, not {value!r}")
            return value
        value = self._of_type(value)
        for one in value if isinstance(value, tuple) else value.values() if isinstance(value, Mapping) else (value,):
            self._check_range(one)
        return value

    def _of_type(self, value: Any) -> Any:
        kind, name = self.type, self.name
        if kind is bool:
            if not isinstance(value, bool):
                raise ArgumentError(name, f"must be True or False, not {value!r}")
            return value
        if kind is int:
            return integer(value, name)
        if kind is float:
            return number(value, name)
        if kind is str:
            if not isinstance(value, str):
                raise ArgumentError(name, f"must be a string, not {value!r}")
            return value
        if kind == tuple[str, ...]:
            return (words if self.option.form and self.option.form.splits else texts)(value, name)
        if kind == tuple[float, ...]:
            return numbers(value, name)
        if kind == tuple[int, ...]:
            return tuple(integer(one, f"an item of {name}") for one in value)
        if kind == float | tuple[float, ...]:
            return number(value, name) if not hasattr(value, "__iter__") else numbers(value, name)
        if kind == Mapping[str, float]:
            return factors(value, name)
        return value

    def _check_range(self, value: Any) -> None:
        least, most = self.option.at_least, self.option.at_most
        if (least is None and most is None) or not isinstance(value, int | float):
            return
        if math.isnan(value):
            raise ArgumentError(self.name, "must be a number, not nan")
        if (least is not None and value < least) or (most is not None and value > most):
            limits = f"between {least:g} and {most:g}" if least is not None and most is not None else (
                f"at least {least:g}" if least is not None else f"at most {most:g}"
            )  # fmt: skip
            raise ArgumentError(self.name, f"must be {limits}, not {value:g}")


def option(default: Any = MISSING, *, help: str, **more: Any) -> Any:
    """A field of a request that the command line has, too; `more` are the other fields of `Option`."""
    return _field(default, Option(help=help, **more))


def argument(default: Any = MISSING, *, help: str = "", **more: Any) -> Any:
    """A field of a request that only Python has."""
    return _field(default, Option(help=help, flags=None, **more))


def _field(default: Any, known: Option) -> Any:
    if isinstance(default, dict | list):
        return field(default_factory=default.copy, metadata={_OPTION: known})
    return field(default=default, metadata={_OPTION: known})


def settings_of(request: type) -> tuple[Setting, ...]:
    """The fields of a request that were made by `option` or `argument`, in order."""
    return _settings(request)


@cache
def _settings(request: Any) -> tuple[Setting, ...]:
    hints = get_type_hints(request)
    found = []
    for one in fields(request):
        if _OPTION in one.metadata:
            default = one.default_factory() if one.default_factory is not MISSING else one.default
            kind, is_optional = _without_none(hints[one.name])
            found.append(Setting(one.name, kind, default, is_optional, one.metadata[_OPTION]))
    return tuple(found)


def _without_none(kind: Any) -> tuple[Any, bool]:
    """A type, and whether None was one of its cases."""
    cases = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    others = tuple(case for case in cases if case is not types.NoneType)
    return (Union[others] if len(others) != len(cases) else kind), len(others) != len(cases)  # noqa: UP007


def _or(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
