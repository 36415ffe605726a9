"""What can be said of a clip, or of a bank as a whole, at a glance."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.facts.describing import BankFacts, ClipFacts, describe
    from motionary.facts.lanes import Lanes, lanes_of
    from motionary.facts.speed import mean_joint_speed
else:
    import_on_use(__name__)

__all__ = ["BankFacts", "ClipFacts", "Lanes", "describe", "lanes_of", "mean_joint_speed"]
