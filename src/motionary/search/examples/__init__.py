"""Examples: what a query shows, wherever it comes from."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.search.examples.averaged import Averaged
    from motionary.search.examples.example import Example, Place, Rows, check_example
    from motionary.search.examples.example_maker import ExampleMaker, Shown, words_of
    from motionary.search.examples.key_poses import KeyPose, KeyPoses
    from motionary.search.examples.library_segment import LibrarySegment
    from motionary.search.examples.mirrored import MirrorImage
    from motionary.search.examples.mixed import Mixed, check_playable
    from motionary.search.examples.motion_file import motion_of_file
    from motionary.search.examples.motion_segment import MotionSegment
else:
    import_on_use(__name__)

__all__ = [
    "Averaged",
    "Example",
    "ExampleMaker",
    "KeyPose",
    "KeyPoses",
    "LibrarySegment",
    "MirrorImage",
    "Mixed",
    "MotionSegment",
    "Place",
    "Rows",
    "Shown",
    "check_example",
    "check_playable",
    "motion_of_file",
    "words_of",
]
