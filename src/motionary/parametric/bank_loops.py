"""Loops of a bank's segments."""

from dataclasses import dataclass
from typing import Any

from motionary.bank import Bank
from motionary.blend import BlendSource, Cycle, Loop, close_loop, find_cycles
from motionary.errors import UsageError
from motionary.formats import Savable
from motionary.library import ExampleReference, examples_of
from motionary.motion import Motion, Segment
from motionary.parametric.example_sources import sources_of
from motionary.plants import Plant


@dataclass(frozen=True, eq=False)
class BankLoop(Savable):
    """A loop cut out of a segment, played some rounds."""

    loop: Loop
    cycle: Cycle  # in frames of the segment
    motion: Motion
    plants: tuple[Plant, ...]
    recipe: dict[str, Any]
    segment: Segment  # the cycle, in frames of its clip


def find_loops(bank: Bank, segment: str | Segment) -> list[tuple[Segment, Cycle]]:
    """The cycles of a segment, as segments of its clip."""
    example, source = _example(bank, segment)
    return [(_in_clip(example, cycle), cycle) for cycle in find_cycles(source)]


def loop_segment(
    bank: Bank,
    segment: str | Segment,
    *,
    which: int | None = None,
    in_place: bool = False,
    rounds: int = 1,
    clean_up: bool = True,
) -> BankLoop:
    """Cut the best cycle (or number `which`, from 1) out of a segment and close it."""
    if rounds < 1:
        raise UsageError("rounds must be at least 1")
    example, source = _example(bank, segment)
    cycles = find_cycles(source)
    if not cycles:
        raise UsageError(f"{example.name}: no cycle was found; name a segment with two or more steps of the same kind")
    if which is not None and not 1 <= which <= len(cycles):
        raise UsageError(f"{example.name} has {len(cycles)} cycles; there is no number {which}")
    cycle = min(cycles, key=lambda c: c.cost) if which is None else cycles[which - 1]
    recipe = {
        "kind": "loop",
        "clip_ids": [example.clip_id],
        "examples": [example.as_json()],
        "cycle": [cycle.start, cycle.stop],
        "in_place": in_place,
        "rounds": rounds,
        "clean_up": clean_up,
    }
    loop = close_loop(source, cycle, in_place=in_place, clean_up=clean_up)
    motion = source.on_own_root(loop.rounds(rounds))
    return BankLoop(loop, cycle, motion, loop.plants_over(rounds), recipe, _in_clip(example, cycle))


def looped_again(bank: Bank, recipe: dict[str, Any]) -> Motion:
    """The motion of a loop's recipe."""
    source = sources_of(bank, [ExampleReference.from_json(recipe["examples"][0])])[0]
    start, stop = (int(frame) for frame in recipe["cycle"])
    loop = close_loop(
        source, Cycle(start, stop, 0.0), in_place=recipe["in_place"], clean_up=recipe.get("clean_up", False)
    )
    return source.on_own_root(loop.rounds(recipe["rounds"]))


def _example(bank: Bank, segment: str | Segment) -> tuple[ExampleReference, BlendSource]:
    example = examples_of(bank, [segment])[0]
    return example, sources_of(bank, [example])[0]


def _in_clip(example: ExampleReference, cycle: Cycle) -> Segment:
    return Segment(example.clip_id, example.start + cycle.start, example.start + cycle.stop)
