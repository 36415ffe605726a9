"""What can be said of a clip, or of a bank as a whole, at a glance."""

from motionary.facts.describing import BankFacts, ClipFacts, describe
from motionary.facts.speed import mean_joint_speed

__all__ = ["BankFacts", "ClipFacts", "describe", "mean_joint_speed"]
