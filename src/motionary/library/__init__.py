"""The clips of a bank, loaded for use: performances (motion, body, plants, contacts), and features of all clips."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.library.example_references import ExampleReference, changed_examples, clip_of_example, examples_of
    from motionary.library.features import LeftOut, LibraryFeatures, build_features, frames_without_features
    from motionary.library.learned import (
        can_be_learned,
        frames_unlearned,
        lessons_of,
        minutes_of,
        performers_of,
        with_learned,
    )
    from motionary.library.performance import Performance, performance
    from motionary.library.snapshots import check_features, one_snapshot, undamaged
else:
    import_on_use(__name__)

__all__ = [
    "ExampleReference",
    "LeftOut",
    "LibraryFeatures",
    "Performance",
    "build_features",
    "can_be_learned",
    "changed_examples",
    "check_features",
    "clip_of_example",
    "examples_of",
    "frames_unlearned",
    "frames_without_features",
    "lessons_of",
    "minutes_of",
    "one_snapshot",
    "performance",
    "performers_of",
    "undamaged",
    "with_learned",
]
