"""Sources of blends from the examples of a bank, and which of them a match web knows to be alike."""

from collections.abc import Sequence

from motionary.bank import Bank
from motionary.blend import BlendSource, Registration, RegistrationOptions, register
from motionary.errors import UsageError
from motionary.library import ExampleReference, Performance, clip_of_example, performance
from motionary.motion import frame_time_of
from motionary.search import alike_segments

Edges = tuple[tuple[int, int], ...]


def source_of(example: ExampleReference, acted: Performance) -> BlendSource:
    """The source that an example is, from its performance; mirrored if the example says so. Its root is at the hips."""
    source = BlendSource(example.name, acted.motion, acted.body, acted.plants)
    return (source.mirrored() if example.mirrored else source).at_hips()


def sources_of(bank: Bank, examples: Sequence[ExampleReference]) -> list[BlendSource]:
    """The sources that examples of a bank are."""
    for example in examples:
        clip_of_example(bank, example)  # raises by its name if it was removed
    return [source_of(example, performance(bank, example.segment)) for example in examples]


def registered_examples(
    bank: Bank,
    examples: Sequence[ExampleReference],
    *,
    options: RegistrationOptions | None = None,
    rate_hz: float | None = None,
    edges: Edges | None = None,
) -> Registration:
    """The examples, registered along the edges of a match graph (`web_edges`), or of the graph of all pairs."""
    if len(examples) < 2:
        raise UsageError(
            f"a blend needs at least two motions, not {len(examples)}. A segment that is named twice counts once; "
            "choose more segments"
        )
    return register(
        sources_of(bank, examples),
        options=options,
        frame_time=None if rate_hz is None else frame_time_of(rate_hz),
        edges=edges,
    )


def web_edges(bank: Bank, examples: Sequence[ExampleReference], options: RegistrationOptions | None) -> Edges | None:
    """The pairs of examples that are aligned with each other: what the bank's newest match web knows to be alike, and,
    between groups that it does not connect, all pairs. None if no web knows the examples' clips, or paths are direct.

    Mirror images are like each other as their originals are; a web does not compare them with anything else.
    """
    if options is not None and options.paths == "direct":
        return None
    found = alike_segments(bank, [example.segment for example in examples])
    if found is None:
        return None
    alike = {(a, b) for a, b in found.edges if examples[a].mirrored == examples[b].mirrored}
    group = list(range(len(examples)))
    for a, b in sorted(alike):
        joined, other = group[a], group[b]
        group = [joined if number == other else number for number in group]
    apart = {(a, b) for b in range(len(group)) for a in range(b) if group[a] != group[b]}
    return tuple(sorted(alike | apart))
