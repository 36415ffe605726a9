"""Profiles: what was learned of a user's likes, kept by name; what is in one is its maker's affair."""

import json
from collections.abc import Mapping
from typing import Any

from motionary.bank.clips import check_name
from motionary.bank.connection import change, now
from motionary.bank.library import Library
from motionary.errors import BankError, NotInBankError


class Profiles(Library):
    """The profiles of an open bank."""

    def profiles(self) -> list[str]:
        """The names of all profiles, in order."""
        return [row["name"] for row in self.connection.execute("SELECT name FROM profiles ORDER BY name")]

    def profile(self, name: str) -> dict[str, Any]:
        """What a profile holds."""
        row = self.connection.execute("SELECT content FROM profiles WHERE name = ?", (name,)).fetchone()
        if row is None:
            known = self.profiles()
            there_are = f"There are {', '.join(known)}" if known else "There are none yet"
            raise NotInBankError(f"{self.path}: no profile {name!r}. {there_are}")
        content: dict[str, Any] = json.loads(row["content"])
        return content

    def keep_profile(self, name: str, content: Mapping[str, Any], *, overwrite: bool = False) -> None:
        """Keep whatever JSON can hold under a name; `overwrite` replaces a profile that has it."""
        check_name(name, "a profile's name")
        text = json.dumps(dict(content), ensure_ascii=False, allow_nan=False)
        with change(self.connection, f"keep profile {name}"):
            if name in self.profiles() and not overwrite:
                raise BankError(f"{self.path}: a profile called {name!r} exists already; --overwrite replaces it")
            self.connection.execute(
                """INSERT INTO profiles (name, content, kept_at) VALUES (?1, ?2, ?3)
                       ON CONFLICT (name) DO UPDATE SET content = ?2, kept_at = ?3""",
                (name, text, now()),
            )

    def remove_profile(self, name: str) -> None:
        """Take a profile out; `undo` brings it back."""
        self.profile(name)
        with change(self.connection, f"rm profile {name}"):
            self.connection.execute("DELETE FROM profiles WHERE name = ?", (name,))
