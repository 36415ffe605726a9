from motionary.picture.primitives import mix


def test_mixing_goes_from_one_colour_to_the_other():
    assert mix("#102030", "#ffffff", 0.0) == "#102030"
    assert mix("#102030", "#ffffff", 1.0) == "#ffffff"
    assert mix("#000000", "#ff8000", 0.5) == "#804000"
