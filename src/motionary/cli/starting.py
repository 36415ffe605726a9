"""What makes commands start sooner."""

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from motionary.cli.output import say

ASKS_FOR_BLAS = "numba.np.arraymath"
BLAS = "scipy.linalg.cython_blas"


def import_blas_on_use() -> None:
    """Keep Numba from importing SciPy's linear algebra with its first kernel, which takes a fifth of a second.

    Numba only looks whether it is there; kernels that need it import it themselves.
    """
    if ASKS_FOR_BLAS not in sys.modules and not any(isinstance(one, _Finder) for one in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    """Finds one module as it is found anyway, and loads it without BLAS."""

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002
        if fullname != ASKS_FOR_BLAS:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(fullname, path)  # type: ignore[arg-type]
        if spec is not None and spec.loader is not None:
            spec.loader = _WithoutBlas(spec.loader)
        return spec


class _WithoutBlas(Loader):
    """Loads a module by its own loader; meanwhile, there is no BLAS."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        hide = BLAS not in sys.modules
        if hide:
            sys.modules[BLAS] = None  # type: ignore[assignment]
        try:
            self.loader.exec_module(module)
        finally:
            if hide:
                del sys.modules[BLAS]
        _tell_of_compiling()


def _tell_of_compiling() -> None:
    """Say so when Numba begins to compile a kernel that is not in its cache, once: it may take a minute in all."""
    from numba.core import event

    class Compiling(event.Listener):
        told = False

        def on_start(self, event: object) -> None:
            del event
            if not Compiling.told:
                Compiling.told = True
                say("compiling kernels; this takes up to a minute, only once after Motionary is installed or updated")

        def on_end(self, event: object) -> None:
            pass

    event.register("numba:compile", Compiling())  # type: ignore[no-untyped-call]
