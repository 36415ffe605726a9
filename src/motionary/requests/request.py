"""What every request can do."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from inspect import Parameter, signature
from typing import Any, TypeVar, get_origin

from motionary.arguments import check_options
from motionary.requests.options import Setting, settings_of

R = TypeVar("R", bound="Request")
F = TypeVar("F", bound=Callable[..., Any])
_JSON_TYPES: dict[Any, dict[str, Any]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    tuple[str, ...]: {"type": "array", "items": {"type": "string"}},
    tuple[float, ...]: {"type": "array", "items": {"type": "number"}},
    float | tuple[float, ...]: {"anyOf": [{"type": "number"}, {"type": "array", "items": {"type": "number"}}]},
    Mapping[str, float]: {"type": "object", "additionalProperties": {"type": "number"}},
}


@dataclass(frozen=True, kw_only=True)
class Request:
    """A dataclass whose fields say what they take; one that exists is valid."""

    def __post_init__(self) -> None:
        for setting in settings_of(type(self)):
            object.__setattr__(self, setting.name, setting.checked(getattr(self, setting.name)))


def request_from(request: type[R], keywords: Mapping[str, Any], *, called: str, also: tuple[str, ...] = ()) -> R:
    """A request made from keywords, all of which it must know; `called` is who takes them, and `also` what it takes
    that is not part of the request."""
    check_options(keywords, [*(one.name for one in settings_of(request)), *also], called=called)
    return request(**keywords)


def keywords_of(request: type[Request], *, leave_out: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Give a function that takes `**keywords` the signature that it has: the fields of the request by name."""

    def give(function: F) -> F:
        own = signature(function)
        known = [one for one in own.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
        taken = {one.name for one in known} | set(leave_out)
        fields = [
            Parameter(
                one.name,
                Parameter.KEYWORD_ONLY,
                default=Parameter.empty if one.default is MISSING else one.default,
                annotation=one.type | None if one.is_optional else one.type,
            )
            for one in settings_of(request)
            if one.name not in taken
        ]
        positional = [one for one in known if one.kind is not Parameter.KEYWORD_ONLY]
        others = [one for one in known if one.kind is Parameter.KEYWORD_ONLY]
        function.__signature__ = own.replace(parameters=[*positional, *fields, *others])  # type: ignore[attr-defined]
        return function

    return give


def schema_of(request: type[Request]) -> dict[str, Any]:
    """The JSON schema of a request: its fields, with their types, choices, ranges, defaults and help texts."""
    settings = settings_of(request)
    return {
        "title": request.__name__,
        "description": (request.__doc__ or "").partition("\n")[0],
        "type": "object",
        "properties": {one.name: _property(one) for one in settings},
        "required": [one.name for one in settings if one.default is MISSING],
        "additionalProperties": False,
    }


def _property(setting: Setting) -> dict[str, Any]:
    if setting.choices:
        known: dict[str, Any] = {"enum": list(setting.choices)}
    else:
        known = dict(_JSON_TYPES.get(setting.type, {}))
        known |= {"array": {"type": "array"}} if get_origin(setting.type) is list else {}
    if setting.is_optional:
        known = {"anyOf": [known, {"type": "null"}]}
    limits = {"minimum": setting.option.at_least, "maximum": setting.option.at_most}
    known |= {word: limit for word, limit in limits.items() if limit is not None}
    known |= {"description": setting.option.help} if setting.option.help else {}
    plain = setting.default is None or isinstance(setting.default, bool | int | float | str | tuple | dict)
    return known | ({"default": setting.default} if plain else {})
