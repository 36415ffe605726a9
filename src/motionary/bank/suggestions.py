"""Names that may have been meant by one that is not there."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

MOST = 3


def near_names(name: str, names: Sequence[str]) -> list[str]:
    """Those that differ from `name` by capitals, zeros or signs; if there are none, those spelled nearly like it; if
    there are none, those that have all of its words (`kick_side` for `side_kick`)."""
    alike = [one for one in names if _plain(one) == _plain(name)]
    words = {word for word in _plain(name).split() if not word.isdigit()}
    related = [one for one in names if words and words <= set(_plain(one).split())]
    return alike[:MOST] or get_close_matches(name, names, n=MOST) or related[:MOST]


def suggestion(name: str, names: Sequence[str], *, otherwise: str) -> str:
    """A sentence that names what may have been meant; if nothing may, another one."""
    near = near_names(name, names)
    return f"Did you mean {' or '.join(near)}?" if near else otherwise


def _plain(name: str) -> str:
    """A name without what people leave out: capitals, zeros before numbers, signs between words."""
    return re.sub(r"[^a-z0-9]+", " ", re.sub(r"(?<![0-9])0+(?=[0-9])", "", name.lower())).strip()
