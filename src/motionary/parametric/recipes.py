"""Made motions as clips with a recipe: who made them of what, so that they can be made again; and as files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.motion import Motion, recording_of
from motionary.parametric.bank_blends import BankBlend, blended_again
from motionary.parametric.bank_loops import BankLoop, looped_again
from motionary.parametric.evaluation import AskedMotion, asked_again
from motionary.plants import Plant

AGAIN: Mapping[str, Callable[[Bank, dict[str, Any]], Motion]] = {
    "blend": blended_again,
    "loop": looped_again,
    "parametric": asked_again,
}


def keep_blend(bank: Bank, name: str, made: BankBlend | BankLoop | AskedMotion) -> int:
    """Put what was made of a bank's clips into it as a clip, with its plants and recipe; returns its id."""
    return keep_made(bank, name, made.motion, made.plants, made.recipe)


def keep_made(bank: Bank, name: str, motion: Motion, plants: Sequence[Plant], recipe: Mapping[str, Any]) -> int:
    """Put a made motion into the bank as a clip; licence and credit are those of the clips that it was made of."""
    clips = [bank.clip(number) for number in recipe["clip_ids"]]
    licence, credit = rights_of(bank, recipe["clip_ids"])
    with bank.change(f"{recipe['kind']} {name}"):
        return bank.add(
            name,
            recording_of(motion),
            plants=[replace(plant, origin="blend") for plant in plants],
            description=f"{recipe['kind']} of {', '.join(clip.name for clip in clips[:5])}",
            format="made",
            licence=licence,
            credit=credit,
            recipe=recipe,
        )


def make_again(bank: Bank, clip: str | int) -> Motion:
    """The motion of a made clip, made again from its recipe and the clips as they are now."""
    recipe = bank.recipe(clip)
    if recipe is None or recipe.get("kind") not in AGAIN:
        raise UsageError(f"{clip} has no recipe of a blend, loop or parametric motion to be made again by")
    return AGAIN[recipe["kind"]](bank, recipe)


def rights_of(bank: Bank, clip_ids: Sequence[int]) -> tuple[str, str]:
    """(licence, credit) of what is made of clips: those of all of them, each once."""
    clips = [bank.clip(number) for number in clip_ids]
    licences, credits_ = ([getattr(clip, what) for clip in clips] for what in ("licence", "credit"))
    return "; ".join(dict.fromkeys(filter(None, licences))), "; ".join(dict.fromkeys(filter(None, credits_)))
