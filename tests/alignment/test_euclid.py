"""The Euclidean distance by hand and against its reference."""

import numpy as np
import pytest
from hypothesis import given

from alignment.search_cases import search_cases
from motionary.alignment import euclid
from motionary.alignment.euclid import euclid_reference


@given(case=search_cases())
def test_euclid_is_its_definition(case):
    distance = euclid(case.query, case.candidate, weights=case.weights)

    assert distance == pytest.approx(euclid_reference(case.query, case.candidate, case.weights), abs=case.slack)


def test_by_hand():
    query, candidate = np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([[1.0, 1.0], [2.0, 0.0]])

    assert euclid(query, candidate) == 10.0
    assert euclid(query, candidate, weights=np.array([2.0, 1.0])) == 11.0
    assert euclid(query, candidate, weights=np.array([2.0, -1.0])) == -7.0
    assert euclid(query, candidate, weights=np.array([[0.0, 0.0], [0.0, 0.5]])) == 4.5
    assert euclid(query, query) == 0.0
