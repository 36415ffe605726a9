"""Blends and registrations of a bank's segments."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.blend import Blend, Registration, RegistrationOptions, blend
from motionary.formats import Savable
from motionary.library import ExampleReference, examples_of
from motionary.motion import Motion, Segment
from motionary.parametric.example_sources import Edges, registered_examples, web_edges
from motionary.plants import Plant


@dataclass(frozen=True, eq=False)
class BankBlend(Savable):
    """A blend of a bank's segments, and what it takes to make it again."""

    blend: Blend
    recipe: dict[str, Any]

    @cached_property
    def motion(self) -> Motion:
        """The blend, with the root of its skeleton."""
        return self.blend.registration.on_own_root(self.blend.motion)

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
    edges = web_edges(bank, examples, options)
    return registered_examples(bank, examples, options=options, rate_hz=rate_hz, edges=edges)


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
    edges = web_edges(bank, examples, chosen)
    return _blended(bank, examples, edges, weights, groups, chosen, rate_hz, clean_up)


def blended_again(bank: Bank, recipe: Mapping[str, Any]) -> Motion:
    """The motion of a blend's recipe."""
    examples = [ExampleReference.from_json(content) for content in recipe["examples"]]
    edges = recipe.get("edges")
    return _blended(
        bank,
        examples,
        None if edges is None else tuple((int(a), int(b)) for a, b in edges),
        recipe["weights"],
        recipe["groups"],
        RegistrationOptions(**recipe["options"]),
        recipe["rate_hz"],
        recipe["clean_up"],
    ).motion


def _blended(
    bank: Bank,
    examples: Sequence[ExampleReference],
    edges: Edges | None,
    weights: Any,
    groups: Mapping[str, Sequence[float]] | None,
    options: RegistrationOptions,
    rate_hz: float | None,
    clean_up: bool,
) -> BankBlend:
    registration = registered_examples(bank, examples, options=options, rate_hz=rate_hz, edges=edges)
    shares = np.full(registration.n_sources, 1.0 / registration.n_sources) if weights is None else np.asarray(weights)
    made = blend(registration, shares, groups=groups, clean_up=clean_up)
    recipe = {
        "kind": "blend",
        "clip_ids": sorted({example.clip_id for example in examples}),
        "examples": [example.as_json() for example in examples],
        "edges": edges,
        "weights": None if weights is None else np.asarray(weights, dtype=float).tolist(),
        "groups": {name: np.asarray(own, dtype=float).tolist() for name, own in (groups or {}).items()},
        "options": asdict(options),
        "rate_hz": rate_hz,
        "clean_up": clean_up,
    }
    return BankBlend(made, recipe)
