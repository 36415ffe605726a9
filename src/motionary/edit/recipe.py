"""Recipes: all that it takes to put an edit on again, as JSON that people can read, with a hash."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from motionary.edit.fitting import Outline, strength_at
from motionary.edit.operation import MAX_FILE_BYTES, Operation, operation_from_json
from motionary.errors import UsageError
from motionary.files import parse_json, read_ordinary

VERSION = 1
SIGN = "motionary edit recipe"


@dataclass(frozen=True)
class EditRecipe:
    """An operation and how it is put on: joints, borders, strength, variation, alignment. The example's length counts
    as the time of the recipe."""

    operation: Operation
    duration_secs: float  # of the example, from its first to its last frame
    joints: tuple[str, ...] = ()
    strength: float = 1.0
    strength_by: str | tuple[tuple[float, float], ...] = "constant"  # or proportional; or (likeness, strength)
    ease_secs: float = 0.2
    protect: bool = True  # planted feet
    align: bool = True  # fit times by aligning example and match, else evenly
    align_joints: tuple[str, ...] = ()
    vary: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    seed: int = 0
    example: str = ""  # the segment that it was made on
    score_limit: float | None = None  # times the score before: strength is taken back until it is kept
    hold: tuple[str, ...] = ()  # hands that stay where they are
    outline: Outline | None = field(default=None, compare=False)  # what is aligned with matches
    outline_hash: str = ""  # names it, so that two recipes with other examples are told apart

    def __post_init__(self) -> None:
        if self.outline is not None and self.outline_hash != self.outline.hash:
            if self.outline_hash:
                raise UsageError("the recipe's outline is not the one that it was made with")
            object.__setattr__(self, "outline_hash", self.outline.hash)
        if not 0.0 <= self.ease_secs < np.inf:
            raise UsageError(f"borders cannot be eased over {self.ease_secs:g} s; it must be 0 or more")
        for name, bounds in self.vary.items():
            if not np.isfinite(bounds).all():
                raise UsageError(f"{name} cannot vary from {bounds[0]:g} to {bounds[1]:g}")
        if not np.isfinite(self.strength):
            raise UsageError(f"a strength of {self.strength} is not possible")
        if not 0.0 <= self.duration_secs < np.inf:
            raise UsageError(f"a recipe cannot last {self.duration_secs:g} s")
        if self.score_limit is not None and not self.score_limit >= 1.0:
            raise UsageError(f"a score limit of {self.score_limit:g} is not possible; it must be at least 1")
        strength_at(1.0, self.strength_by)

    def as_json(self, *, outline: bool = False) -> dict[str, Any]:
        """The recipe; with its outline, if asked for, so that it can be aligned where the example is not known."""
        content: dict[str, Any] = {
            "kind": SIGN,
            "version": VERSION,
            "operation": self.operation.as_json(),
            "duration_secs": self.duration_secs,
            "joints": list(self.joints),
            "strength": self.strength,
            "strength_by": self.strength_by
            if isinstance(self.strength_by, str)
            else [list(point) for point in self.strength_by],
            "ease_secs": self.ease_secs,
            "protect": self.protect,
            "align": self.align,
            "align_joints": list(self.align_joints),
            "vary": {name: list(bounds) for name, bounds in sorted(self.vary.items())},
            "seed": self.seed,
            "example": self.example,
        }
        if self.score_limit is not None:
            content["score_limit"] = self.score_limit
        if self.hold:
            content["hold"] = list(self.hold)
        if self.outline_hash:
            content["outline_hash"] = self.outline_hash
        if outline and self.outline is not None:
            places = np.round(self.outline.places, 4).tolist()
            content["outline"] = {"parts": list(self.outline.parts), "places": places}
        return content

    @property
    def hash(self) -> str:
        """Names what the recipe does: 12 signs, the same for the same recipe on any machine."""
        content = {key: value for key, value in self.as_json().items() if key != "example"}
        text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()

    def with_strength(self, strength: float) -> "EditRecipe":
        return replace(self, strength=strength)


def recipe_from_json(content: Mapping[str, Any] | str) -> EditRecipe:
    """The recipe that `as_json` wrote, or that a row of `edit recipes --json` or a layer holds; raises if it is none,
    or of a newer version."""
    if isinstance(content, str):
        content = _parsed(content)
    if isinstance(content, Mapping) and isinstance(content.get("recipe"), Mapping):  # of `edit recipes` or `edit show`
        content = content["recipe"]
    if not isinstance(content, Mapping) or content.get("kind") != SIGN:
        raise UsageError(
            "this is not a recipe of an edit; `motionary edit recipes BANK --export HASH -o FILE` writes one"
        )
    version = content.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise UsageError(f"the recipe is of version {version}, this Motionary knows up to {VERSION}; upgrade to use it")
    try:
        outline = content.get("outline")
        by = content["strength_by"]
        return EditRecipe(
            operation_from_json(content["operation"]),
            float(content["duration_secs"]),
            tuple(content["joints"]),
            float(content["strength"]),
            by if isinstance(by, str) else tuple((float(x), float(y)) for x, y in by),
            float(content["ease_secs"]),
            bool(content["protect"]),
            bool(content["align"]),
            tuple(content["align_joints"]),
            {name: (float(low), float(high)) for name, (low, high) in content["vary"].items()},
            int(content["seed"]),
            str(content["example"]),
            None if content.get("score_limit") is None else float(content["score_limit"]),
            tuple(content.get("hold", ())),
            None if outline is None else Outline(np.array(outline["places"], dtype=float), tuple(outline["parts"])),
            str(content.get("outline_hash", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"the recipe cannot be understood: {error!r}") from error


def _parsed(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
            raise UsageError(
                "this is more than one recipe; `motionary edit recipes BANK --export HASH -o FILE` writes one"
            ) from error
        raise UsageError(f"this is not a recipe: it is not JSON ({error})") from error


def read_recipe(path: Path | str) -> EditRecipe:
    """A recipe from a file."""
    try:
        text = read_ordinary(Path(path), max_bytes=MAX_FILE_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise UsageError(f"{path}: cannot be read ({why})") from error
    try:
        return recipe_from_json(text)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error


def write_recipe(recipe: EditRecipe, path: Path | str) -> None:
    """Write a recipe to a file, with what it takes to align it where its example is not known."""
    text = json.dumps(recipe.as_json(outline=True), indent=2, ensure_ascii=False)
    try:
        Path(path).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from error
