import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from motionary.features import descriptions
from motionary.search.gist_rows import gist_rows, gist_size, gist_weights
from motionary.search.wpca.weights import joint_shares


def test_rows_in_the_mirror_are_those_of_the_description():
    rows = {"gist": np.random.default_rng(0).standard_normal((4, 72)).astype(np.float32)}

    assert_array_equal(gist_rows(rows), rows["gist"])
    assert_allclose(gist_rows(rows, mirrored=True), descriptions()["gist"].mirrored(rows["gist"]))


def test_weights_are_those_of_the_joints_that_dimensions_tell_of():
    parts = np.array([dimension.part for dimension in descriptions()["gist"].dimensions])
    arms = gist_weights(joint_shares("arms"))

    assert_array_equal(gist_weights(), 1.0)
    assert_allclose(gist_weights(joint_shares()), 1.0)
    assert arms[parts == "LeftHand"].min() > 40 * arms[parts == "LeftFoot"].max()
    assert_allclose(arms.mean(), 1.0)
    assert_allclose(gist_size(gist_weights()), 24.0)


def test_of_spine_and_neck_the_gist_tells_nothing():
    for part in ("spine", "neck", "trunk"):
        assert not gist_weights(joint_shares(part)).any()
    for part in ("feet", "upper body", "lower body", "left side"):
        assert gist_weights(joint_shares(part)).any()
