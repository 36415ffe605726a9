"""Mannequins by keys: sent once, while motions refer to them."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from motionary.bank import Bank, Clip
from motionary.picture import Mannequin, figure_json, mannequin_of
from motionary.server.lru_cache import LruCache

MOST = 512


class Figures:
    """The mannequins of clips (`s` and the skeleton's number) and of what was made of them (`m` and a digest)."""

    def __init__(self) -> None:
        self._known: LruCache[tuple[Mannequin, dict[str, Any]]] = LruCache(MOST)

    def keys(self, bank: Bank) -> Callable[[Clip], str]:
        """What gives the key of a clip's mannequin: another one when its user maps the skeleton by hand."""
        maps = {clip.skeleton_id: _digest(user_map) for clip, user_map in bank.user_maps()}

        def key(clip: Clip) -> str:
            mapped = maps.get(clip.skeleton_id)
            return f"s{clip.skeleton_id}" if mapped is None else f"s{clip.skeleton_id}-{mapped}"

        return key

    def of_clip(self, bank: Bank, clip: Clip) -> tuple[str, Mannequin]:
        """The key and the mannequin of a clip."""
        key = self.keys(bank)(clip)

        def make() -> tuple[Mannequin, dict[str, Any]]:
            body_map = bank.body_map(clip) if bank.has_user_map(clip) else None
            return _drawn(mannequin_of(bank.skeleton(clip), body_map=body_map))

        return key, self._known.get(key, make)[0]

    def of_made(self, mannequin: Mannequin) -> str:
        """The key of a mannequin that need not be that of a clip."""
        drawn = _drawn(mannequin)
        key = "m" + _digest(drawn[1])
        self._known.put(key, drawn)
        return key

    def json(self, bank: Bank, key: str) -> dict[str, Any] | None:
        """What draws the mannequin of that key; None if there is none."""
        number = key[1:].partition("-")[0]
        if key.startswith("s") and self._known.find(key) is None and number.isascii() and number.isdigit():
            for clip in bank.with_skeleton(int(number))[:1]:
                self.of_clip(bank, clip)
        found = self._known.find(key)
        return None if found is None else found[1]


def _drawn(mannequin: Mannequin) -> tuple[Mannequin, dict[str, Any]]:
    return mannequin, figure_json(mannequin)


def _digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
