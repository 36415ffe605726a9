"""Asking a kept parametric motion for motions: for values, on a grid, at random, or along a path over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.blend import Blend
from motionary.errors import NotInBankError, UsageError
from motionary.formats import Savable
from motionary.library import ExampleReference
from motionary.motion import Motion
from motionary.naturalness import Naturalness
from motionary.parametric.bank_parametrics import KeptParametric, built_parametric, kept_parametric
from motionary.parametric.parametric import CORRECTIONS, Answer, ParametricMotion
from motionary.parametric.steering import Steered, steer
from motionary.plants import Plant


@dataclass(frozen=True, eq=False)
class AskedMotion(Savable):
    """A motion that a parametric motion was asked for, and what it takes to make it again."""

    made: Blend | Steered
    answer: Answer | None  # what was got for what was wanted; None along a path
    recipe: dict[str, Any]

    @cached_property
    def motion(self) -> Motion:
        """What was made, with the root of its skeleton."""
        made = self.made
        registration = made.parametric.registration if isinstance(made, Steered) else made.registration
        return registration.on_own_root(made.motion)

    @property
    def plants(self) -> tuple[Plant, ...]:
        return self.made.plants

    @property
    def naturalness(self) -> Naturalness:
        return self.made.naturalness

    def as_json(self) -> dict[str, Any]:
        if isinstance(self.made, Steered):
            return {"parametric": self.recipe["parametric"]} | self.made.as_json()
        assert self.answer is not None
        score = self.naturalness.score
        return (
            {"parametric": self.recipe["parametric"]}
            | self.answer.as_json()
            | {
                "frames": self.motion.n_frames,
                "seconds": round(self.motion.duration_secs, 4),
                "score_cm": None if np.isnan(score) else round(100.0 * score, 3),
            }
        )


@dataclass(frozen=True, eq=False)
class Asked:
    """All that one call asked for."""

    kept: KeptParametric
    motions: tuple[AskedMotion, ...]

    @property
    def answers(self) -> list[Answer]:
        return [one.answer for one in self.motions if one.answer is not None]


def ask_parametric(
    bank: Bank,
    name: str,
    values: Sequence[float] | Mapping[str, float] | None = None,
    *,
    grid: int | None = None,
    random: int | None = None,
    path: Sequence[Sequence[float]] | None = None,
    secs: float | None = None,
    seed: int = 0,
    corrections: int = CORRECTIONS,
    clean_up: bool = True,
) -> Asked:
    """Motions of a kept parametric motion: for `values`, on a `grid` of so many values of each parameter, at so many
    `random` points of its region, or along a `path` of parameters, evenly spread over `secs` seconds. By default a path
    takes 5 s if the motion is cyclic, else as long as the motion."""
    if sum(one is not None for one in (values, grid, random, path)) != 1:
        raise UsageError("ask for values, for a grid, for random points or for a path: one of them")
    kept = kept_parametric(bank, name)
    recipe = {
        "kind": "parametric",
        "clip_ids": kept.clip_ids,
        "parametric": name,
        "examples": [example.as_json() for example in kept.examples],
        "settings": kept.settings,
        "clean_up": clean_up,
    }
    motion = kept.motion
    if path is not None:
        how: dict[str, Any] = {
            "path": [list(map(float, row)) for row in path],
            "secs": None if secs is None else float(secs),
        }
        return Asked(kept, (_asked(motion, recipe | how),))
    if values is not None:
        points = motion.point(values)[None]
    elif grid is not None:
        points = motion.grid(grid)
    else:
        points = motion.random_points(random or 1, rng=np.random.default_rng(seed))
    return Asked(
        kept, tuple(_asked(motion, recipe | {"values": p.tolist(), "corrections": corrections}) for p in points)
    )


def asked_again(bank: Bank, recipe: Mapping[str, Any]) -> Motion:
    """The motion of a recipe; of the parametric motion as it is kept, or, where that is gone, built again."""
    if "settings" not in recipe:
        raise UsageError("this motion was kept without the settings of its parametric motion; ask for it again")
    examples = [ExampleReference.from_json(content) for content in recipe["examples"]]
    try:
        kept = kept_parametric(bank, recipe["parametric"])
        known = kept.settings == recipe["settings"] and list(kept.examples) == examples
    except NotInBankError:
        known = False
    motion = kept.motion if known else built_parametric(bank, examples, recipe["settings"])
    return _asked(motion, dict(recipe)).motion


def _asked(motion: ParametricMotion, recipe: dict[str, Any]) -> AskedMotion:
    if "path" in recipe:
        steered = steer(motion, recipe["path"], secs=recipe["secs"], clean_up=recipe["clean_up"])
        return AskedMotion(steered, None, recipe)
    answer = motion.ask(recipe["values"], corrections=recipe["corrections"], finished=recipe["clean_up"])
    return AskedMotion(answer.motion(clean_up=recipe["clean_up"]), answer, recipe)
