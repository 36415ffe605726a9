"""The match webs that lie beside a bank: what they are called, and what they were built with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from motionary.artefacts import ArtefactStore
from motionary.errors import NotInBankError, UsageError
from motionary.metrics import is_metric_name
from motionary.search.match_web.building import built_at, in_words, options_of
from motionary.search.match_web.store import KIND
from motionary.search.match_web.web import name_of_folder

WORDS = ("text", "labels", "names")  # that say which clips a web is of


@dataclass(frozen=True)
class KnownWeb:
    """A web before it is opened."""

    folder: Path
    made_by: dict[str, Any]
    options: dict[str, Any]  # what `build_web` was told

    @property
    def name(self) -> str:
        return name_of_folder(self.folder)

    @property
    def of(self) -> str:
        """Which clips it is of, in words."""
        return in_words(self.options)


def known_webs(store: ArtefactStore, message: Callable[[str], None] | None = None) -> list[KnownWeb]:
    """The webs whose metric is known by its name; the one that was built last at the end.

    `message` is told of those that are left out: damaged ones, too, do not keep others from being used.
    """
    tell = message or (lambda _: None)
    found = []
    for entry in store.entries():
        if entry.kind != KIND.name or entry.version not in (None, KIND.version):
            continue
        if entry.manifest is None:
            tell(f"the match web {name_of_folder(entry.folder)} is left out: {entry.damage}; build it again")
        elif is_metric_name(entry.manifest.inputs["metric"]):
            made_by = entry.manifest.inputs
            found.append(KnownWeb(entry.folder, made_by, options_of(made_by)))
        else:
            tell(
                f"the match web {name_of_folder(entry.folder)} is left out: its metric "
                f"{entry.manifest.inputs['metric']!r} is defined in Python code, not in the bank; "
                "`build_web(bank, metric=…)` opens it"
            )
    return sorted(found, key=lambda web: (built_at(web.folder), web.folder))


def named_web(known: Sequence[KnownWeb], name: str, path: Path) -> KnownWeb:
    """The one web whose name begins so, or that is of these clips; `path` is the bank's."""
    found = [web for web in known if web.of == name or (name and web.name.startswith(name))]
    if len(found) == 1:
        return found[0]
    there = ", ".join(f"{web.name} ({web.of})" for web in found or known) or "none"
    if found:
        raise UsageError(f"{name!r} matches several webs: {there}; write more of the name")
    raise NotInBankError(
        f"{path} has no match web named {name!r}; available: {there}. `motionary web info {path}` shows details"
    )
