"""Parametric motions: blends steered by what they do: where a hand goes, how far a jump leads, how fast a walk is."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.parametric.bank_blends import BankBlend, blend_segments, register_segments
    from motionary.parametric.bank_loops import BankLoop, find_loops, loop_segment
    from motionary.parametric.bank_parametrics import (
        KeptParametric,
        keep_parametric,
        kept_parametric,
        rebuild_parametric,
    )
    from motionary.parametric.blend_space import export_blend_space
    from motionary.parametric.evaluation import Asked, AskedMotion, ask_parametric
    from motionary.parametric.example_sources import source_of
    from motionary.parametric.measures import EXAMPLES as MEASURE_EXAMPLES
    from motionary.parametric.measures import Computed, Measure, Parameter, measure_named
    from motionary.parametric.parametric import Answer, ParametricMotion, make_parametric
    from motionary.parametric.recipes import keep_blend, keep_made, make_again, rights_of
    from motionary.parametric.sampling import Samples
    from motionary.parametric.steering import Steered, loop_source, steer
else:
    import_on_use(__name__)

__all__ = [
    "MEASURE_EXAMPLES",
    "Answer",
    "Asked",
    "AskedMotion",
    "BankBlend",
    "BankLoop",
    "Computed",
    "KeptParametric",
    "Measure",
    "Parameter",
    "ParametricMotion",
    "Samples",
    "Steered",
    "ask_parametric",
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
    "rights_of",
    "source_of",
    "steer",
]
