"""Layers: the edits of a clip as the bank keeps them, and the recipes that they were made by."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from motionary.bank import AnyClip, Bank, EditRow, check_is_bank
from motionary.edit.fitting import outline_of
from motionary.edit.planning import PlannedEdit
from motionary.edit.recipe import EditRecipe, read_recipe, recipe_from_json
from motionary.edit.subjects import example_of
from motionary.errors import NotInBankError, UsageError
from motionary.plants import Plant

LAYER_VERSION = 1


@dataclass(frozen=True, slots=True)
class Layer:
    """One edit of a clip's stack, read from the bank; edits of one recipe on a clip share a layer."""

    clip: str
    clip_id: int
    position: int  # 1 is the lowest
    operation: str
    start: int
    stop: int
    strength: float
    mirrored: bool
    seed: int
    hash: str
    origin: str
    is_example: bool
    kept_at: str
    content: Mapping[str, Any] = field(hash=False)

    def as_json(self) -> dict[str, Any]:
        return {
            "clip": self.clip,
            "id": self.clip_id,
            "position": self.position,
            "operation": self.operation,
            "start": self.start,
            "stop": self.stop,
            "strength": self.strength,
            "mirrored": self.mirrored,
            "seed": self.seed,
            "hash": self.hash,
            "origin": self.origin,
            "kept_at": self.kept_at,
        }


def list_edits(bank: Bank, clips: AnyClip | Iterable[AnyClip] = ()) -> list[Layer]:
    """The edits of some clips, or of all, by clip and from the lowest layer."""
    check_is_bank(bank)
    chosen = bank.clips_of(clips)
    rows = [row for clip in chosen for row in bank.edit_rows(clip)] if chosen else bank.edit_rows()
    called = bank.clip_names(row.clip_id for row in rows)
    return [layer for row in rows for layer in _layers(row, called[row.clip_id])]


def edit_recipes(bank: Bank) -> dict[str, tuple[EditRecipe, int]]:
    """The recipes that edits of the bank were made by, and on how many segments each, by hash."""
    found: dict[str, tuple[EditRecipe, int]] = {}
    for layer in list_edits(bank):
        if "recipe" in layer.content:
            recipe, n = found.get(layer.hash, (recipe_from_json(layer.content["recipe"]), 0))
            found[layer.hash] = (recipe, n + 1)
    return found


def recipe_called(bank: Bank, name: str | Path) -> EditRecipe:
    """A recipe by its hash (or how it begins), or from a file; with the outline of its example, if that is known."""
    fitting: list[Layer] = []
    if not isinstance(name, Path) and not name.endswith(".json"):
        fitting = [layer for layer in list_edits(bank) if layer.hash and layer.hash.startswith(name)]
    if not fitting and (isinstance(name, Path) or name.endswith(".json") or Path(name).is_file()):
        recipe = read_recipe(name)
        if not recipe.align or recipe.outline is not None or not recipe.outline_hash:
            return recipe
        fitting = [layer for layer in list_edits(bank) if layer.hash == recipe.hash]
        if not fitting:
            raise UsageError(
                f"{name}: the recipe has no outline of its example, and {bank.path} does not have its example, so that "
                "nothing can be aligned with it; `motionary edit recipes BANK --export HASH -o FILE` writes both"
            )
    if not fitting or not name:
        there = ", ".join(edit_recipes(bank)) or "none yet"
        raise NotInBankError(
            f"{bank.path}: no edit has a recipe {str(name)!r}; there are {there}. A file ends in .json"
        )
    if len({layer.hash for layer in fitting}) > 1:
        raise UsageError(f"{name!r} begins several recipes: {', '.join(sorted({layer.hash for layer in fitting}))}")
    recipe = recipe_from_json(fitting[0].content["recipe"])
    if not recipe.align:
        return recipe
    pinned = [layer.content["example"] for layer in fitting if layer.content.get("example")]
    examples = (example_of(bank, one) for one in pinned)
    example = next((one for one in examples if one is not None), None)
    if example is None:
        raise NotInBankError(
            f"{bank.path}: the example of recipe {recipe.hash} is not there any more, so that nothing can be aligned "
            "with it; use a file of `edit recipes --export`"
        )
    return replace(recipe, outline=outline_of(example, joints=recipe.align_joints))


def example_pinned(bank: Bank, recipe: EditRecipe) -> Mapping[str, int] | None:
    """Where a recipe's example is kept in the bank; None if it came from elsewhere."""
    layers = (layer for layer in list_edits(bank) if layer.hash == recipe.hash)
    return next((one for layer in layers if (one := layer.content.get("example"))), None)


def layer_content(
    changing: Sequence[PlannedEdit],
    recipe: EditRecipe,
    pinned: Mapping[str, Any],
    *,
    plants: Sequence[Plant] | None,
    example: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """A layer as the bank keeps it: the recipe, and what each segment has of its own, in the order of putting on."""
    clip_id = changing[0].target.segment.clip_id
    return {
        "layer_version": LAYER_VERSION,
        "operation": recipe.operation.name,
        "recipe": recipe.as_json(),
        "hash": recipe.hash,
        "origin": recipe.example,
        "parts": [
            {
                "start": one.target.segment.start,
                "stop": one.target.segment.stop,
                "parameters": one.operation.as_json()["parameters"],
                "times": None if one.times is None else one.times.tolist(),
                "strength": one.strength,
                "mirrored": one.target.mirrored,
                "seed": one.seed,
                "is_example": one.target.is_example,
            }
            for one in changing
        ],
        "sources": pinned,
        "example": None if example is None else dict(example),
        "plants": None if plants is None else [plant.as_json() for plant in plants],
        "clip_ids": clips_of_sources(pinned, clip_id),
    }


def clips_of_sources(pinned: Mapping[str, Any], clip_id: int) -> list[int]:
    """The other clips whose motion is in a layer of a clip: its sources, and what those were copied from."""
    found = {source["clip_id"] for source in pinned.values()}
    return sorted(found.union(*(source.get("made_of", ()) for source in pinned.values())) - {clip_id})


def _layers(row: EditRow, clip: str) -> list[Layer]:
    """The edits of one layer, from the clip's start on."""
    content = row.content
    parts = sorted(content.get("parts", [{}]), key=lambda part: int(part.get("start", 0)))
    name = str(content.get("hash", ""))
    if not name and "recipe" in content:  # a layer that another package has made
        name = recipe_from_json(content["recipe"]).hash
    return [
        Layer(
            clip,
            row.clip_id,
            row.position,
            str(content.get("operation", "?")),
            int(part.get("start", 0)),
            int(part.get("stop", 0)),
            float(part.get("strength", 1.0)),
            bool(part.get("mirrored", False)),
            int(part.get("seed", 0)),
            name,
            str(content.get("origin", "")),
            bool(part.get("is_example", False)),
            row.kept_at,
            content,
        )
        for part in parts
    ]
