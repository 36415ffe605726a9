"""What an edit operation is: a frozen dataclass with its documentation, its ranges and its way into JSON and back."""

import dataclasses
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar, Self, get_args, get_origin, get_type_hints

from motionary.edit.subject import Edited, Place, Subject
from motionary.errors import UsageError
from motionary.files import parse_json
from motionary.motion import Motion

MAX_FILE_BYTES = 64 << 20  # of an operation or a recipe
SCALARS = {bool: "true or false", int: "a whole number", float: "a number"}
_REGISTRY: dict[str, type["Operation"]] = {}  # filled once, as modules are loaded


def parameter(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    choices: tuple[str, ...] = (),
    varies: bool = False,
) -> Any:
    """A field of an operation: its meaning, the least and greatest value, and whether it may vary at random."""
    metadata = {"help": help, "low": low, "high": high, "unit": unit, "choices": choices, "varies": varies}
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Operation(ABC):
    """One way to change a motion. Subclasses are frozen dataclasses whose fields are made by `parameter`."""

    name: ClassVar[str]
    title: ClassVar[str]  # in a few words
    version: ClassVar[int] = 1
    default_joints: ClassVar[tuple[str, ...]] = ()  # all
    ease_secs: ClassVar[float] = 0.2  # over which its borders are eased, unless something else is asked for
    changes_length: ClassVar[bool] = False
    identity: ClassVar[Mapping[str, Any] | None] = {}  # parameters with which nothing changes; None: there are none
    example: ClassVar[Mapping[str, Any]] = {}  # parameters to show it with

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" in cls.__dict__:
            _REGISTRY[cls.name] = cls

    def __post_init__(self) -> None:
        for one in dataclasses.fields(self):
            self._check(one, getattr(self, one.name))

    @abstractmethod
    def apply(self, subject: Subject, place: Place) -> Edited:
        """The whole motion after the operation was put on [place.start, place.stop)."""

    def eases_over_secs(self, *, varied: Collection[str] = ()) -> float:  # noqa: ARG002
        """Over how long its borders are usually eased; `varied` are parameters that are drawn at random."""
        return self.ease_secs

    @property
    def source_names(self) -> tuple[str, ...]:
        """What other motions it needs, by name."""
        return ()

    @property
    def space_names(self) -> tuple[str, ...]:
        """What pose spaces it needs, by name."""
        return ()

    def as_json(self) -> dict[str, Any]:
        """Its parameters; with `operation` and `version` all that it takes to make it again."""
        values = {one.name: _plain(getattr(self, one.name)) for one in dataclasses.fields(self)}
        return {"operation": self.name, "version": self.version, "parameters": values}

    @classmethod
    def parameters(cls) -> list[dict[str, Any]]:
        """What can be said to it, for documentation and command lines."""
        return [
            {"parameter": one.name, "default": _plain(one.default), **one.metadata} for one in dataclasses.fields(cls)
        ]

    @classmethod
    def from_parameters(cls, values: Mapping[str, Any]) -> Self:
        """The operation with these parameters, as JSON or a command line gives them."""
        known = {one.name for one in dataclasses.fields(cls)}
        hints = get_type_hints(cls)
        given = {}
        for name, value in values.items():
            if name not in known:
                raise UsageError(f"{cls.name} has no parameter {name!r}; {_meant(name, known)}")
            try:
                given[name] = _typed(value, hints[name], f"{cls.name} {name}")
            except UsageError as error:
                raise UsageError(f"{error}{cls._expected(name, hints[name])}") from error
        return cls(**given)

    @classmethod
    def _expected(cls, name: str, hint: Any) -> str:
        """What a parameter of that type takes, with an example if there is one."""
        one = cls.__dataclass_fields__[name]
        shown = next((values[name] for values in (cls.example, cls.identity or {}) if name in values), one.default)
        meant = (SCALARS[hint], _range(one), one.metadata["unit"]) if hint in SCALARS else (one.metadata["help"],)
        takes = " ".join(word for word in meant if word)
        return f"; it takes {takes}" + (f", as in {name}={json.dumps(_plain(shown))}" if shown != () else "")

    def _check(self, one: "dataclasses.Field[Any]", value: Any) -> None:
        called = f"{self.name} {one.name}"
        if not one.metadata:
            return
        for number in _numbers(value):
            if isinstance(number, bool) or not isinstance(number, int | float):
                continue
            if not math.isfinite(number):
                raise UsageError(f"{called}: {number} is not possible")
            low, high = one.metadata["low"], one.metadata["high"]
            if (low is not None and number < low) or (high is not None and number > high):
                raise UsageError(f"{called}: {number:g} is out of range; it goes {_range(one)}")
        choices = one.metadata["choices"]
        if choices and value not in choices:
            raise UsageError(f"{called}: {value!r} is not one of {', '.join(choices)}")


@dataclass(frozen=True)
class PoseOperation(Operation):
    """An operation that changes poses and leaves timing alone: it says what the segment becomes at full strength.

    Chosen joints, strength, eased borders and the protection of planted feet are the same for all of them.
    """

    def apply(self, subject: Subject, place: Place) -> Edited:
        from motionary.edit.borders import eased_in

        posed, notes = self.posed(subject, place)
        return Edited(eased_in(subject.motion, posed, place), subject.plants, notes=notes)

    @abstractmethod
    def posed(self, subject: Subject, place: Place) -> tuple[Motion, tuple[str, ...]]:
        """The segment's frames as a motion of their own, at full strength; and what is to be said of it."""


def operations() -> dict[str, type[Operation]]:
    """All operations by name, in the order of their names."""
    return dict(sorted(_REGISTRY.items()))


def operation_called(name: str) -> type[Operation]:
    """The operation of that name; raises, and says which there are."""
    try:
        return _REGISTRY[name]
    except KeyError:
        raise UsageError(f"no operation is called {name!r}; {_meant(name, _REGISTRY.keys())}") from None


def operation_from_json(content: Mapping[str, Any]) -> Operation:
    """The operation that `as_json` wrote; one of a newer version is refused."""
    kind = operation_called(str(content.get("operation")))
    version = content.get("version", 1)
    if not isinstance(version, int) or version > kind.version:
        raise UsageError(
            f"{kind.name} is of version {version}, this Motionary knows up to {kind.version}; upgrade to use it"
        )
    return kind.from_parameters(content.get("parameters", {}))


def _range(one: "dataclasses.Field[Any]") -> str:
    """From what to what a number may go; "" if anywhere."""
    low, high = one.metadata["low"], one.metadata["high"]
    if low is None or high is None:
        return "" if low is high else f"from {low:g}" if high is None else f"to {high:g}"
    return f"{low:g} to {high:g}"


def _numbers(value: Any) -> Iterator[Any]:
    """What is in tuples, and in those in them."""
    if isinstance(value, tuple):
        for one in value:
            yield from _numbers(one)
    else:
        yield value


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value


def _meant(name: str, known: Collection[str]) -> str:
    """What may have been meant by a name that is not there; if nothing is like it, all that there are."""
    near = get_close_matches(name, known, n=1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(known)) or 'none'}"


def _typed(value: Any, hint: Any, called: str) -> Any:
    """What JSON or a command line gave, as the field wants it."""
    if isinstance(value, str) and hint is not str:
        try:
            value = parse_json(value)
        except ValueError:
            raise UsageError(f"{called}: {value!r} cannot be understood") from None
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if hint is int and isinstance(value, int) and not isinstance(value, bool):
        return value
    if hint is bool and isinstance(value, bool):
        return value
    if hint is str and isinstance(value, str):
        return value
    if get_origin(hint) is tuple and isinstance(value, list | tuple):
        kinds = get_args(hint)
        if len(kinds) == 2 and kinds[1] is Ellipsis:
            return tuple(_typed(one, kinds[0], called) for one in value)
        if len(kinds) == len(value):
            return tuple(_typed(one, kind, called) for one, kind in zip(value, kinds, strict=True))
    raise UsageError(f"{called}: {value!r} cannot be understood")
