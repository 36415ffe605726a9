"""Edits: operations on motions, each a frozen dataclass with its documentation, and recipes that put them on many."""

from motionary.edit.applying import apply_operation, place_of
from motionary.edit.curves import Curves, curves_of
from motionary.edit.cutting import Bridge, Delete, Mend, Replace
from motionary.edit.displacing import Displace, Reach
from motionary.edit.emote import Emote
from motionary.edit.filtering import Bands, Deglitch, HighPass, Noise, Smooth, WaveShape, Wiggle
from motionary.edit.in_space import InSpace
from motionary.edit.limiting import Limits, learn_limits
from motionary.edit.looping import Loop, find_cycle
from motionary.edit.operation import Operation, operation_called, operation_from_json, operations
from motionary.edit.pasting import Additive, Paste
from motionary.edit.placing import InPlace, Mirror, root_motion
from motionary.edit.qualities import QUALITIES, quality_curves, quality_measures
from motionary.edit.retiming import Speed, TimeWarp
from motionary.edit.standing import Balance, Clean
from motionary.edit.styling import Style, learn_style
from motionary.edit.subject import Edited, Place, Subject

__all__ = [
    "QUALITIES",
    "Additive",
    "Balance",
    "Bands",
    "Bridge",
    "Clean",
    "Curves",
    "Deglitch",
    "Delete",
    "Displace",
    "Edited",
    "Emote",
    "HighPass",
    "InPlace",
    "InSpace",
    "Limits",
    "Loop",
    "Mend",
    "Mirror",
    "Noise",
    "Operation",
    "Paste",
    "Place",
    "Reach",
    "Replace",
    "Smooth",
    "Speed",
    "Style",
    "Subject",
    "TimeWarp",
    "WaveShape",
    "Wiggle",
    "apply_operation",
    "curves_of",
    "find_cycle",
    "learn_limits",
    "learn_style",
    "operation_called",
    "operation_from_json",
    "operations",
    "place_of",
    "quality_curves",
    "quality_measures",
    "root_motion",
]
