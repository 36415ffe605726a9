"""Parametric motions: blends steered by what they do: where a hand goes, how far a jump leads, how fast a walk is."""

from motionary.parametric.bank_blends import (
    BankBlend,
    BankLoop,
    blend_segments,
    find_loops,
    keep_blend,
    keep_made,
    loop_segment,
    make_again,
    register_segments,
    write_motion,
)
from motionary.parametric.blend_space import export_blend_space
from motionary.parametric.kept import KeptParametric, keep_parametric, kept_parametric, rebuild_parametric
from motionary.parametric.measures import EXAMPLES as MEASURE_EXAMPLES
from motionary.parametric.measures import Computed, Measure, Parameter, measure_named
from motionary.parametric.parametric import Answer, ParametricMotion, make_parametric
from motionary.parametric.sampling import Samples
from motionary.parametric.sources import source_of
from motionary.parametric.steering import Steered, loop_source, steer

__all__ = [
    "MEASURE_EXAMPLES",
    "Answer",
    "BankBlend",
    "BankLoop",
    "Computed",
    "KeptParametric",
    "Measure",
    "Parameter",
    "ParametricMotion",
    "Samples",
    "Steered",
    "blend_segments",
    "export_blend_space",
    "find_loops",
    "keep_blend",
    "keep_made",
    "keep_parametric",
    "kept_parametric",
    "loop_segment",
    "loop_source",
    "make_again",
    "make_parametric",
    "measure_named",
    "rebuild_parametric",
    "register_segments",
    "source_of",
    "steer",
    "write_motion",
]
