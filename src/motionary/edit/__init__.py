"""Edits: operations on motions, each a frozen dataclass with its documentation, and recipes that put them on many."""

from motionary.edit.applying import apply_operation, place_of
from motionary.edit.curves import Curves, curves_of
from motionary.edit.cutting import Bridge, Delete, Mend, Replace
from motionary.edit.displacing import Displace, Reach
from motionary.edit.emote import Emote
from motionary.edit.filtering import Bands, Deglitch, HighPass, Noise, Smooth, WaveShape, Wiggle
from motionary.edit.layers import Layer, edit_recipes, list_edits, recipe_called
from motionary.edit.learning import learn_operation
from motionary.edit.limiting import Limits, learn_limits
from motionary.edit.looping import Loop, find_cycle
from motionary.edit.operation import Operation, operation_called, operation_from_json, operations
from motionary.edit.operation_files import read_operation, write_operation
from motionary.edit.pasting import Additive, Paste
from motionary.edit.placing import InPlace, Mirror, root_motion
from motionary.edit.planning import EditTarget, PlannedEdit
from motionary.edit.pose_space_edit import InSpace
from motionary.edit.qualities_of_bank import Qualities, measure_qualities
from motionary.edit.recipe import EditRecipe, read_recipe, recipe_from_json, write_recipe
from motionary.edit.replicating import apply_again, apply_edit, find_like_edit, preview_edit
from motionary.edit.reporting import EditReport
from motionary.edit.retiming import Speed, TimeWarp
from motionary.edit.stack import TAKEN, remove_edits
from motionary.edit.standing import Balance, Clean
from motionary.edit.style_learning import learn_style
from motionary.edit.styling import Style
from motionary.edit.subject import Edited, Place, Subject

__all__ = [
    "TAKEN",
    "Additive",
    "Balance",
    "Bands",
    "Bridge",
    "Clean",
    "Curves",
    "Deglitch",
    "Delete",
    "Displace",
    "EditRecipe",
    "EditReport",
    "EditTarget",
    "Edited",
    "Emote",
    "HighPass",
    "InPlace",
    "InSpace",
    "Layer",
    "Limits",
    "Loop",
    "Mend",
    "Mirror",
    "Noise",
    "Operation",
    "Paste",
    "Place",
    "PlannedEdit",
    "Qualities",
    "Reach",
    "Replace",
    "Smooth",
    "Speed",
    "Style",
    "Subject",
    "TimeWarp",
    "WaveShape",
    "Wiggle",
    "apply_again",
    "apply_edit",
    "apply_operation",
    "curves_of",
    "edit_recipes",
    "find_cycle",
    "find_like_edit",
    "learn_limits",
    "learn_operation",
    "learn_style",
    "list_edits",
    "measure_qualities",
    "operation_called",
    "operation_from_json",
    "operations",
    "place_of",
    "preview_edit",
    "read_operation",
    "read_recipe",
    "recipe_called",
    "recipe_from_json",
    "remove_edits",
    "root_motion",
    "write_operation",
    "write_recipe",
]
