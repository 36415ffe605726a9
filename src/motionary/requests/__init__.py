"""Requests: frozen dataclasses that hold all that a search, blend, graph or edit was asked for.

A request is written once. Python keywords, command-line options, help texts, error messages and a JSON schema all come
from its fields:

    @dataclass(frozen=True, kw_only=True)
    class BlendRequest(Request):
        \"""What to blend, and how.\"""

        clips: tuple[str, ...] = option((), help="Clips to blend.", flags=("--clip",), basic=True)
        speed: float = option(1.0, help="Playback speed.", at_least=0.1)
        loop: bool = option(False, help="Make the result loop.", group="Timing")
        metric: Literal["cloud", "gist"] = option("cloud", help="How frames are compared.", group="Timing")

- **Checks.** `Request` checks every field in its constructor: numbers, choices, lists and ranges. A bad value raises
  `motionary.errors.ArgumentError`, which begins with the field's name ("speed must be at least 0.1"). Add checks
  between fields in a `__post_init__` that calls `super().__post_init__()`.
- **Python.** `request_from(BlendRequest, keywords, called="blend")` makes a request from keywords and rejects unknown
  ones ("did you mean …?"). Give `blend(bank, **keywords)` its real signature with `@keywords_of(BlendRequest)`.
- **Command line.** A field becomes `--field-name`, or what `flags` says; its type decides what the option takes. Values
  with a syntax of their own name a `Form`: `PERCENT`, `NAMES` (arms,Head), `NUMBERS` (1,3,1), `FACTORS` (Head=2),
  `TEXTS` (repeated).
  `motionary.cli.request_command` turns requests into a command: `--help` lists the options marked `basic`,
  `--help-all` lists all, by `group`. Options get passed on only if the user typed them, so that defaults stand in one
  place. A field that is made with `argument` instead of `option` exists in Python only.
- **Families** of requests (methods of searching, kinds of edits) register in a `Registry`: by name, with the function
  that answers, imported only when it is needed. Modules that define requests must be cheap to import: no NumPy.
- **Clips.** A request that chooses clips inherits from `ClipFilter`; `bank.chosen_clips(bank, request)` finds them.
- **API.** `schema_of(BlendRequest)` is the JSON schema of its fields.
"""

from motionary.requests.clip_filter import ClipFilter
from motionary.requests.forms import FACTORS, NAMES, NUMBERS, PERCENT, PERCENTS, REPEATED_NAMES, TEXTS, Form
from motionary.requests.options import Option, Setting, argument, option, settings_of
from motionary.requests.progress import Progress
from motionary.requests.registry import Method, Registry
from motionary.requests.request import Request, keywords_of, request_from, schema_of

__all__ = [
    "FACTORS",
    "NAMES",
    "NUMBERS",
    "PERCENT",
    "PERCENTS",
    "REPEATED_NAMES",
    "TEXTS",
    "ClipFilter",
    "Form",
    "Method",
    "Option",
    "Progress",
    "Registry",
    "Request",
    "Setting",
    "argument",
    "keywords_of",
    "option",
    "request_from",
    "schema_of",
    "settings_of",
]
