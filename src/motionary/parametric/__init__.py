"""Parametric motions: blends steered by what they do: where a hand goes, how far a jump leads, how fast a walk is."""

from motionary.parametric.measures import EXAMPLES as MEASURE_EXAMPLES
from motionary.parametric.measures import Computed, Measure, Parameter, measure_named
from motionary.parametric.parametric import Answer, ParametricMotion, make_parametric
from motionary.parametric.sampling import Samples

__all__ = [
    "MEASURE_EXAMPLES",
    "Answer",
    "Computed",
    "Measure",
    "Parameter",
    "ParametricMotion",
    "Samples",
    "make_parametric",
    "measure_named",
]
