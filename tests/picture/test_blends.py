import numpy as np
import pytest

from blend.made_sources import reach
from motionary.blend import blend, register
from motionary.parametric import make_parametric, measure_named
from motionary.picture import region_plot, show_blend, warp_plot


@pytest.fixture(scope="module")
def registration():
    return register([reach(angle, n_frames=40 + 5 * k, peak=18) for k, angle in enumerate((0.0, 20.0, 40.0))])


def test_a_blend_is_drawn_above_its_sources(registration, tmp_path):
    made = blend(registration, [0.25, 0.75, 0.0])

    show_blend(made, tmp_path / "a.svg", title="mine")

    text = (tmp_path / "a.svg").read_text()
    assert "mine" in text
    assert "0.75 of reach" in text.replace("\n", " ")
    assert text.index("0.75 of") < text.index("0.25 of")  # the heaviest first
    assert "reach 40" not in text  # no part of it


def test_warps_have_a_line_and_a_name_for_each_source(registration):
    svg = warp_plot(registration).svg()

    assert all(name in svg for name in registration.names)
    assert "3 motions on the clock of" in svg


@pytest.mark.parametrize("measure", ["RightHand@apex", "lowest:RightHand", "end"])
def test_regions_of_one_two_and_three_parameters_are_drawn(registration, measure):
    motion = make_parametric(registration, [measure_named(measure)], n_draws=20)
    answers = [motion.ask(motion.examples[0]), motion.ask(motion.examples.mean(axis=0))]

    svg = region_plot(motion, answers=answers, title="region").svg()

    assert "3 examples" in svg
    assert all(parameter.name in svg for parameter in motion.parameters[:1])
    assert np.isfinite(motion.samples.values).all()
