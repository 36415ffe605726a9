"""Families of requests: which there are, and what answers each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from motionary.errors import UsageError
from motionary.requests.request import Request


@dataclass(frozen=True)
class Method:
    """One member of a family: its request, and the function that answers it."""

    name: str
    name_in_python: str  # the function that takes it as keywords
    request: type[Request]
    function: str  # "package.module:name", imported when it is called
    summary: str  # half a sentence, for lists of all methods
    resources: tuple[str, ...] = ()  # keywords of the function that save work, and are not part of the request
    advice: Mapping[str, str] = field(default_factory=dict)  # an option of other methods: what to do instead

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Answer a request."""
        module, _, name = self.function.partition(":")
        answer: Callable[..., Any] = getattr(import_module(module), name)
        return answer(*arguments, **keywords)


class Registry(Mapping[str, Method]):
    """The methods of a family by name, in order; the first is the default."""

    def __init__(self, family: str, *methods: Method) -> None:
        self.family = family
        self._methods = {method.name: method for method in methods}

    def __getitem__(self, name: str) -> Method:
        if name not in self._methods:
            raise UsageError(f"there is no {self.family} {name!r}; choose {', '.join(self)}")
        return self._methods[name]

    def __iter__(self) -> Any:
        return iter(self._methods)

    def __len__(self) -> int:
        return len(self._methods)
