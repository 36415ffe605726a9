"""Charts of letters."""

import numpy as np

from motionary.cli.charts import curve_chart


def test_the_largest_value_reaches_the_top():
    assert curve_chart(np.array([0.0, 1.0, 2.0]), width=3, height=2, unit="m/s") == [
        "   2.00 m/s │  █",
        "   0.00 m/s │ ██",
    ]


def test_what_has_no_value_is_dotted_and_sets_no_scale():
    assert curve_chart(np.array([np.nan, 1.0, 2.0]), width=3, height=2, unit="m/s")[1] == "   0.00 m/s │·██"
    assert curve_chart(np.array([np.nan, np.nan]), width=2, height=1, unit="m/s") == ["   1.00 m/s │··"]
    assert curve_chart(np.array([np.nan, 1.0]), width=1, height=1, unit="m/s") == ["   1.00 m/s │█"]
