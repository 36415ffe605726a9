"""What was learned from clips, kept by name: profiles, pose spaces, parametric motions. What is in one is its
maker's affair.

But for one thing: `clip_ids`, where it is there, says which clips it was learned from, so that it goes when one of
them is purged.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from motionary.arguments import check_is
from motionary.bank.clips import check_name
from motionary.bank.connection import change, now
from motionary.bank.library import Library
from motionary.bank.stored_json import stored
from motionary.errors import BankError, NotInBankError


@dataclass(frozen=True, slots=True)
class _Kind:
    table: str
    called: str
    keeping: str  # how the log says that one was kept
    if_none: str


_PROFILES = _Kind("profiles", "profile", "keep profile", "There are none yet")
_SPACES = _Kind("spaces", "pose space", "train space", "`motionary space train` makes one")
_PARAMETRICS = _Kind("parametrics", "parametric motion", "keep parametric", "There are none yet")


class Learned(Library):
    """The profiles, pose spaces and parametric motions of an open bank."""

    def profiles(self) -> list[str]:
        """The names of all profiles, in order."""
        return self._names(_PROFILES)

    def profile(self, name: str) -> dict[str, Any]:
        """What a profile holds."""
        return self._content(_PROFILES, name)

    def keep_profile(self, name: str, content: Mapping[str, Any], *, overwrite: bool = False) -> None:
        """Keep whatever JSON can hold under a name; `overwrite` replaces a profile that has it."""
        self._keep(_PROFILES, name, content, overwrite=overwrite)

    def remove_profile(self, name: str) -> None:
        """Take a profile out; `undo` brings it back."""
        self._remove(_PROFILES, name)

    def spaces(self) -> list[str]:
        """The names of all pose spaces, in order."""
        return self._names(_SPACES)

    def space(self, name: str) -> dict[str, Any]:
        """What a pose space holds."""
        return self._content(_SPACES, name)

    def keep_space(self, name: str, content: Mapping[str, Any], *, overwrite: bool = False) -> None:
        """Keep whatever JSON can hold under a name; `overwrite` replaces a space that has it."""
        self._keep(_SPACES, name, content, overwrite=overwrite)

    def remove_space(self, name: str) -> None:
        """Take a pose space out; `undo` brings it back."""
        self._remove(_SPACES, name)

    def parametrics(self) -> list[str]:
        """The names of all parametric motions, in order."""
        return self._names(_PARAMETRICS)

    def parametric(self, name: str) -> dict[str, Any]:
        """What a parametric motion holds."""
        return self._content(_PARAMETRICS, name)

    def keep_parametric(self, name: str, content: Mapping[str, Any], *, overwrite: bool = False) -> None:
        """Keep whatever JSON can hold under a name; `overwrite` replaces a parametric motion that has it."""
        self._keep(_PARAMETRICS, name, content, overwrite=overwrite)

    def remove_parametric(self, name: str) -> None:
        """Take a parametric motion out; `undo` brings it back."""
        self._remove(_PARAMETRICS, name)

    def _names(self, kind: _Kind) -> list[str]:
        return [row["name"] for row in self.connection.execute(f"SELECT name FROM {kind.table} ORDER BY name")]

    def _content(self, kind: _Kind, name: str) -> dict[str, Any]:
        check_is(name, str, called=f"the name of a {kind.called}", meant="a string")
        row = self.connection.execute(f"SELECT content FROM {kind.table} WHERE name = ?", (name,)).fetchone()
        if row is None:
            known = self._names(kind)
            there_are = f"There are {', '.join(known)}" if known else kind.if_none
            raise NotInBankError(f"{self.path}: no {kind.called} {name!r}. {there_are}")
        content: dict[str, Any] = stored(row["content"], dict, self.path, f"the {kind.called} {name!r}")
        return content

    def _keep(self, kind: _Kind, name: str, content: Mapping[str, Any], *, overwrite: bool) -> None:
        check_name(name, f"a {kind.called}'s name")
        text = json.dumps(dict(content), ensure_ascii=False, allow_nan=False)
        with change(self.connection, f"{kind.keeping} {name}"):
            if name in self._names(kind) and not overwrite:
                raise BankError(f"{self.path}: a {kind.called} named {name!r} already exists; --overwrite replaces it")
            self.connection.execute(
                f"""INSERT INTO {kind.table} (name, content, kept_at) VALUES (?1, ?2, ?3)
                        ON CONFLICT (name) DO UPDATE SET content = ?2, kept_at = ?3""",
                (name, text, now()),
            )

    def _remove(self, kind: _Kind, name: str) -> None:
        self._content(kind, name)
        with change(self.connection, f"rm {kind.table.removesuffix('s')} {name}"):
            self.connection.execute(f"DELETE FROM {kind.table} WHERE name = ?", (name,))
