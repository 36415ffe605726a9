"""Sources of blends from performances of a bank."""

from motionary.blend import BlendSource
from motionary.library import ExampleReference, Performance


def source_of(example: ExampleReference, acted: Performance) -> BlendSource:
    """The source that an example is, from its performance; mirrored if the example says so."""
    source = BlendSource(example.name, acted.motion, acted.body, acted.plants)
    return source.mirrored() if example.mirrored else source
