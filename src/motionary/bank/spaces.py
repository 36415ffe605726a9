"""Pose spaces, kept by name: trained once and chosen when searching; what is in one is its maker's affair."""

import json
from collections.abc import Mapping
from typing import Any

from motionary.bank.clips import check_name
from motionary.bank.connection import change, now
from motionary.bank.library import Library
from motionary.errors import BankError, NotInBankError


class Spaces(Library):
    """The pose spaces of an open bank."""

    def spaces(self) -> list[str]:
        """The names of all pose spaces, in order."""
        return [row["name"] for row in self.connection.execute("SELECT name FROM spaces ORDER BY name")]

    def space(self, name: str) -> dict[str, Any]:
        """What a pose space holds."""
        row = self.connection.execute("SELECT content FROM spaces WHERE name = ?", (name,)).fetchone()
        if row is None:
            known = self.spaces()
            there_are = f"There are {', '.join(known)}" if known else "`motionary space train` makes one"
            raise NotInBankError(f"{self.path}: no pose space {name!r}. {there_are}")
        content: dict[str, Any] = json.loads(row["content"])
        return content

    def keep_space(self, name: str, content: Mapping[str, Any], *, overwrite: bool = False) -> None:
        """Keep whatever JSON can hold under a name; `overwrite` replaces a space that has it."""
        check_name(name, "a pose space's name")
        text = json.dumps(dict(content), ensure_ascii=False, allow_nan=False)
        with change(self.connection, f"train space {name}"):
            if name in self.spaces() and not overwrite:
                raise BankError(f"{self.path}: a pose space called {name!r} exists already; --overwrite replaces it")
            self.connection.execute(
                """INSERT INTO spaces (name, content, kept_at) VALUES (?1, ?2, ?3)
                       ON CONFLICT (name) DO UPDATE SET content = ?2, kept_at = ?3""",
                (name, text, now()),
            )

    def remove_space(self, name: str) -> None:
        """Take a pose space out; `undo` brings it back."""
        self.space(name)
        with change(self.connection, f"rm space {name}"):
            self.connection.execute("DELETE FROM spaces WHERE name = ?", (name,))
