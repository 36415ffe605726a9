"""Packages whose names are imported when they are used, so that the command line starts fast.

Such a package imports its public names for the type checker only:

    if TYPE_CHECKING:
        from motionary.motion.motion import Motion
    else:
        import_on_use(__name__)
"""

import ast
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any


def import_on_use(package: str) -> None:
    """Let a package import each name when it is used first, from the module that the type checker takes it from."""
    sys.modules[package].__class__ = _LazyPackage


class _LazyPackage(ModuleType):
    """A package that imports a name when it is used first."""

    def __getattr__(self, name: str) -> Any:
        if name not in _homes(self.__name__):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        home, name_there = _homes(self.__name__)[name]
        value = getattr(import_module(home), name_there)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a name, but let no module of the package hide the public name that it shares, as in `motion.mirror`."""
        if not isinstance(value, ModuleType) or name not in _homes(self.__name__):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_homes(self.__name__)})


@cache
def _homes(package: str) -> dict[str, tuple[str, str]]:
    """The module, and the name there, of each name that a package imports for the type checker only."""
    loader = getattr(find_spec(package), "loader", None)
    text = loader.get_source(package) if loader else ""
    guards = [node for node in ast.parse(text).body if isinstance(node, ast.If)]
    imports = [node for guard in guards for node in guard.body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name: (str(node.module), alias.name) for node in imports for alias in node.names}
