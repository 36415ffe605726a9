"""Film strips of motions and performances in notebooks: `%load_ext motionary.picture`."""

from typing import Any

from motionary.library import Performance
from motionary.motion import Motion
from motionary.picture.rows import row_of_performance
from motionary.picture.scene import Row
from motionary.picture.strip import film_strip

WIDTH = 1000


def load_ipython_extension(ipython: Any) -> None:
    """Let a notebook draw motions and performances that a cell ends with; IPython calls it on `%load_ext`."""
    html = ipython.display_formatter.formatters["text/html"]
    html.for_type(Motion, motion_html)
    html.for_type(Performance, performance_html)


def motion_html(motion: Motion) -> str:
    """A motion as a film strip, in SVG."""
    return film_strip([Row(motion)], width=WIDTH).svg()


def performance_html(acted: Performance) -> str:
    """A clip or segment of a bank as a film strip with its name, foot contacts and floor, in SVG."""
    return film_strip([row_of_performance(acted)], width=WIDTH).svg()
