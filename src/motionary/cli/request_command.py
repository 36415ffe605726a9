"""Commands made from requests: their options, help pages and values.

`add_options(function, *requests)` gives a function one option for each field that requests have on the command line.
Inside, `values_of(context, request)` are the keywords for that request: only what was typed, so that defaults stand in
the request alone. Registered with `cls=RequestCommand`, `--help` lists the basic options and `--help-all` all of them.
"""

import inspect
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING
from typing import Annotated, Any, TypeVar, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperOption

from motionary.errors import ArgumentError, UsageError
from motionary.requests import PERCENT, Request, Setting, settings_of

R = TypeVar("R", bound=Request)
HELP_ALL = "--help-all"


class RequestCommand(TyperCommand):
    """A command with many options: `--help` lists the basic ones, `--help-all` all of them."""

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """What may be typed next: any option, not only those of the short help."""
        self.show_all()
        return super().shell_complete(ctx, incomplete)

    def show_all(self) -> None:
        """List all options from now on."""
        for one in self.params:
            if isinstance(one, TyperOption):
                one.hidden = False


def add_options(function: Callable[..., None], *requests: type[Request]) -> Callable[..., None]:
    """A function as a command: its own parameters, then the options of the requests, then `--help-all`.

    The function takes its context first; it finds the options there.
    """
    own = inspect.signature(function, eval_str=True).parameters.values()
    named = [one for one in own if one.kind is not inspect.Parameter.VAR_KEYWORD]
    options = [_parameter(one) for request in requests for one in settings_of(request) if one.flags]
    shown = [*named, *options, _help_all()]

    def command(*arguments: Any, **keywords: Any) -> None:
        names = {one.name for one in named}
        function(*arguments, **{name: value for name, value in keywords.items() if name in names})

    return with_parameters(command, function, shown)


def with_parameters(
    command: Callable[..., None], function: Callable[..., None], shown: Iterable[inspect.Parameter]
) -> Callable[..., None]:
    """The command, named and described as the function, with these parameters; Typer reads them from its signature."""
    keywords = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in shown]
    command.__name__, command.__doc__ = function.__name__, function.__doc__
    command.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]  # functions may have one
    command.__annotations__ = {one.name: one.annotation for one in keywords}
    return command


def values_of(context: typer.Context, request: type[Request]) -> dict[str, Any]:
    """What was typed of a request's options, as its keywords."""
    values = {}
    for one in settings_of(request):
        source = context.get_parameter_source(one.name) if one.flags else None
        if source is not None and source.name == "COMMANDLINE":
            typed = context.params[one.name]
            values[one.name] = one.option.form.read(one.flag, typed) if one.option.form else typed
            if one.option.form is PERCENT and not 0 <= values[one.name] <= (one.option.at_most or math.inf):
                raise UsageError(f"{one.flag} takes at most {100 * (one.option.at_most or 0):g} percent, not {typed}")
    return values


def request_of(context: typer.Context, request: type[R]) -> R:
    """A request made from what was typed."""
    with options_named(request):
        return request(**values_of(context, request))


@contextmanager
def options_named(*requests: type[Request]) -> Iterator[None]:
    """Errors about fields of requests speak of their options."""
    try:
        yield
    except ArgumentError as error:
        flags = {one.name: one.flag for request in requests for one in settings_of(request) if one.flags}
        if error.name not in flags:
            raise
        raise UsageError(f"{flags[error.name]} {error.problem}") from error


def _parameter(setting: Setting) -> inspect.Parameter:
    """One field as a parameter that typer understands."""
    known, form = setting.option, setting.option.form
    kind: Any = str if setting.type is Any or form else setting.type
    if form and form.repeated:
        kind = list[str]
    elif get_origin(kind) is tuple:
        kind = list[get_args(kind)[0]]  # type: ignore[misc]
    limits: dict[str, Any] = {
        word: (float if kind is float else int)(limit)
        for word, limit in (("min", known.at_least), ("max", known.at_most))
        if limit is not None and kind in (int, float, list[int])
    }
    default = _default(setting)
    option = typer.Option(
        *setting.flags,
        help=known.help,
        metavar=known.metavar or (form.metavar if form else None),
        rich_help_panel=known.group or None,
        show_default=default not in (None, 0) and known.shown_default is None,
        hidden=not known.basic,
        **limits,
    )
    return _keyword(setting.name, Annotated[bool if kind is bool else kind | None, option], default)


def _default(setting: Setting) -> Any:
    """A field's default as it would be typed; None for what is empty. It is only shown, never passed on."""
    default, form = setting.default, setting.option.form
    if default is MISSING or default is None or default in ("", (), {}):
        return None
    if form and form.repeated:
        return list(default)
    return form.write(default) if form else default


def _help_all() -> inspect.Parameter:
    def show(context: typer.Context, wanted: bool) -> None:
        if wanted and isinstance(context.command, RequestCommand):
            context.command.show_all()
            typer.echo(context.get_help(), color=context.color)
            raise typer.Exit

    option = typer.Option(HELP_ALL, help="Show all options and exit.", is_eager=True, callback=show)
    return _keyword("help_all", Annotated[bool, option], False)


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
