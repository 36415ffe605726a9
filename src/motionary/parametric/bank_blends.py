"""Blends, registrations and loops of a bank's segments; results become new clips with a recipe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.blend import (
    Blend,
    Cycle,
    Loop,
    Registration,
    RegistrationOptions,
    blend,
    close_loop,
    find_cycles,
    register,
)
from motionary.errors import UsageError
from motionary.files import write_whole
from motionary.formats import bvh_text, glb_bytes
from motionary.library import ExampleReference, examples_of, performance
from motionary.motion import Motion, Segment, frame_time_of, recording_of
from motionary.parametric.sources import source_of
from motionary.plants import Plant


@dataclass(frozen=True, eq=False)
class BankBlend:
    """A blend of a bank's segments, and what it takes to make it again."""

    blend: Blend
    recipe: dict[str, Any]

    @property
    def motion(self) -> Motion:
        return self.blend.motion

    @property
    def plants(self) -> tuple[Plant, ...]:
        return self.blend.plants


def register_segments(
    bank: Bank,
    segments: Sequence[str | Segment] = (),
    *,
    labels: Sequence[str] = (),
    mirror: bool = False,
    options: RegistrationOptions | None = None,
    rate_hz: float | None = None,
) -> Registration:
    """Align segments, a selection's matches or what carries labels, and say how well they fit together."""
    examples = examples_of(bank, segments, labels=labels, mirror=mirror)
    return _registered(bank, examples, options, rate_hz)


def blend_segments(
    bank: Bank,
    segments: Sequence[str | Segment],
    weights: Sequence[float] | Sequence[Sequence[float]] | np.ndarray | None = None,
    *,
    groups: Mapping[str, Sequence[float]] | None = None,
    labels: Sequence[str] = (),
    options: RegistrationOptions | None = None,
    rate_hz: float | None = None,
    clean_up: bool = True,
) -> BankBlend:
    """Blend segments of a bank by weights, all alike if none are given. Examples that do not fit are refused by name
    where weights are given, as it is not known whose weight they were to have."""
    examples = examples_of(bank, segments, labels=labels)
    chosen = options or RegistrationOptions(spoilers="refuse" if weights is not None else "drop")
    return _blended(bank, examples, weights, groups, chosen, rate_hz, clean_up)


def keep_blend(bank: Bank, name: str, made: BankBlend) -> int:
    """Put a blend into the bank as a clip, with its plants and recipe; returns its id."""
    return keep_made(bank, name, made.motion, made.plants, made.recipe)


def keep_made(bank: Bank, name: str, motion: Motion, plants: Sequence[Plant], recipe: Mapping[str, Any]) -> int:
    """Put a made motion into the bank as a clip; licence and credit are those of the clips that it was made of."""
    clips = [bank.clip(number) for number in recipe["clip_ids"]]
    licence = "; ".join(dict.fromkeys(clip.licence for clip in clips if clip.licence))
    credit = "; ".join(dict.fromkeys(clip.credit for clip in clips if clip.credit))
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
    if recipe is None or recipe.get("kind") not in ("blend", "loop"):
        raise UsageError(f"{clip} has no recipe of a blend or loop to be made again by")
    examples = [ExampleReference.from_json(content) for content in recipe["examples"]]
    if recipe["kind"] == "loop":
        source = source_of(examples[0], performance(bank, examples[0].segment))
        loop = close_loop(
            source, Cycle(int(recipe["cycle"][0]), int(recipe["cycle"][1]), 0.0), in_place=recipe["in_place"]
        )
        return loop.rounds(recipe["rounds"])
    options = RegistrationOptions(**recipe["options"])
    return _blended(
        bank, examples, recipe["weights"], recipe["groups"], options, recipe["rate_hz"], recipe["clean_up"]
    ).motion


@dataclass(frozen=True, eq=False)
class BankLoop:
    """A loop cut out of a segment, played some rounds."""

    loop: Loop
    cycle: Cycle  # in frames of the segment
    motion: Motion
    recipe: dict[str, Any]
    segment: Segment  # the cycle, in frames of its clip


def find_loops(bank: Bank, segment: str | Segment) -> list[tuple[Segment, Cycle]]:
    """The cycles of a segment, as segments of its clip."""
    example = examples_of(bank, [segment])[0]
    source = source_of(example, performance(bank, example.segment))
    return [
        (Segment(example.clip_id, example.start + cycle.start, example.start + cycle.stop), cycle)
        for cycle in find_cycles(source)
    ]


def loop_segment(
    bank: Bank, segment: str | Segment, *, which: int | None = None, in_place: bool = False, rounds: int = 1
) -> BankLoop:
    """Cut the best cycle (or number `which`, from 1) out of a segment and close it."""
    if rounds < 1:
        raise UsageError("rounds must be at least 1")
    example = examples_of(bank, [segment])[0]
    source = source_of(example, performance(bank, example.segment))
    cycles = find_cycles(source)
    if not cycles:
        raise UsageError(f"{example.name}: no cycle was found; name a segment with two or more steps of the same kind")
    if which is not None and not 1 <= which <= len(cycles):
        raise UsageError(f"{example.name} has {len(cycles)} cycles; there is no number {which}")
    cycle = min(cycles, key=lambda c: c.cost) if which is None else cycles[which - 1]
    loop = close_loop(source, cycle, in_place=in_place)
    recipe = {
        "kind": "loop",
        "clip_ids": [example.clip_id],
        "examples": [example.as_json()],
        "cycle": [cycle.start, cycle.stop],
        "in_place": in_place,
        "rounds": rounds,
    }
    at = Segment(example.clip_id, example.start + cycle.start, example.start + cycle.stop)
    return BankLoop(loop, cycle, loop.rounds(rounds), recipe, at)


def write_motion(motion: Motion, path: Path | str, *, name: str = "", credit: str = "", licence: str = "") -> None:
    """Write a motion as BVH or GLB, as the file's name ends."""
    path = Path(path)
    if path.suffix.lower() == ".bvh":
        write_whole(path, bvh_text(recording_of(motion)))
    elif path.suffix.lower() == ".glb":
        extras = {key: value for key, value in (("credit", credit), ("licence", licence)) if value}
        write_whole(path, glb_bytes(motion, name=name or path.stem, extras=extras))
    else:
        raise UsageError(f"{path.name!r} does not end in .bvh or .glb; name one of these")


def _registered(
    bank: Bank, examples: Sequence[ExampleReference], options: RegistrationOptions | None, rate_hz: float | None
) -> Registration:
    if len(examples) < 2:
        raise UsageError(f"a blend needs at least two motions, not {len(examples)}. Choose more segments")
    sources = [source_of(example, performance(bank, example.segment)) for example in examples]
    return register(sources, options=options, frame_time=None if rate_hz is None else frame_time_of(rate_hz))


def _blended(
    bank: Bank,
    examples: Sequence[ExampleReference],
    weights: Any,
    groups: Mapping[str, Sequence[float]] | None,
    options: RegistrationOptions,
    rate_hz: float | None,
    clean_up: bool,
) -> BankBlend:
    registration = _registered(bank, examples, options, rate_hz)
    shares = np.full(registration.n_sources, 1.0 / registration.n_sources) if weights is None else np.asarray(weights)
    made = blend(registration, shares, groups=groups, clean_up=clean_up)
    recipe = {
        "kind": "blend",
        "clip_ids": sorted({example.clip_id for example in examples}),
        "examples": [example.as_json() for example in examples],
        "weights": None if weights is None else np.asarray(weights, dtype=float).tolist(),
        "groups": {name: np.asarray(own, dtype=float).tolist() for name, own in (groups or {}).items()},
        "options": {"slope_limit": options.slope_limit, "paths": options.paths, "spoilers": options.spoilers},
        "rate_hz": rate_hz,
        "clean_up": clean_up,
    }
    return BankBlend(made, recipe)
