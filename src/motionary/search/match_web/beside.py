"""The match webs that lie beside a bank: what they are called, and what they were built with."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from motionary.errors import NotInBankError, UsageError
from motionary.files import locked
from motionary.metrics import is_metric_name
from motionary.search.match_web.building import folders, in_words, made_by_of, options_of
from motionary.search.match_web.web import name_of_folder

WORDS = ("text", "labels", "names")  # that say which clips a web is of


@dataclass(frozen=True)
class KnownWeb:
    """A web before it is opened."""

    folder: Path
    options: dict[str, Any]  # what `build_web` was told

    @property
    def name(self) -> str:
        return name_of_folder(self.folder)

    @property
    def of(self) -> str:
        """Which clips it is of, in words."""
        return in_words(self.options)

    def delete(self) -> None:
        """Take its files away; whoever has them open keeps them."""
        with locked(self.folder):
            shutil.rmtree(self.folder, ignore_errors=True)


def known_webs(beside: Path, message: Callable[[str], None] | None = None) -> list[KnownWeb]:
    """The webs in a folder whose metric is known by its name; the one that was built last at the end."""
    found = []
    for folder in folders(beside):
        made_by = made_by_of(folder)
        if is_metric_name(made_by["metric"]):
            found.append(KnownWeb(folder, options_of(made_by)))
        elif message:
            message(
                f"the match web {name_of_folder(folder)} is left out: its metric {made_by['metric']!r} is known only "
                "to whoever built it; `build_web(bank, metric=…)` opens it"
            )
    return found


def named_web(known: Sequence[KnownWeb], name: str, path: Path) -> KnownWeb:
    """The one web whose name begins so, or that is of these clips; `path` is the bank's."""
    found = [web for web in known if web.of == name or (name and web.name.startswith(name))]
    if len(found) == 1:
        return found[0]
    there = ", ".join(f"{web.name} ({web.of})" for web in found or known) or "none"
    if found:
        raise UsageError(f"{name!r} may be several match webs: {there}; say more of the name")
    raise NotInBankError(
        f"{path} has no match web called {name!r}; there are: {there}. `motionary web info {path}` tells more"
    )
