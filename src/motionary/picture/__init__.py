"""Pictures of motions: film strips and animations, drawn by our own small drawing kit."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.picture.animation import Animation, animation
    from motionary.picture.blends import region_plot, show_blend, show_region, show_warps, warp_plot
    from motionary.picture.camera import Camera, View
    from motionary.picture.drawing import Drawing
    from motionary.picture.edits import show_edits
    from motionary.picture.heat import HeatBlock, heat_strip, show_heat
    from motionary.picture.layout import Spread
    from motionary.picture.mannequin import Mannequin, mannequin_of
    from motionary.picture.match_graphs import match_graph_drawing
    from motionary.picture.matches import show_matches, show_selection
    from motionary.picture.motion_graphs import show_cost_matrix, show_graph_map, show_graph_motion, show_ground_way
    from motionary.picture.nodes import NodeMotion, figure_json, nodes_of
    from motionary.picture.notebook import load_ipython_extension
    from motionary.picture.plots import Curve, curve_plot
    from motionary.picture.primitives import Ellipse, Polygon, Polyline, Primitive, Text
    from motionary.picture.recurring import show_motifs, show_surprises
    from motionary.picture.reports import plot_scores, show_cleaned
    from motionary.picture.scene import Row
    from motionary.picture.segments import show_match_graph, show_segments, show_spread
    from motionary.picture.show import check_can_draw, show_rows
    from motionary.picture.space_curves import SpaceCurve, space_plot
    from motionary.picture.spaces import curves_in_space, show_space
    from motionary.picture.strip import film_strip
    from motionary.picture.transitions import show_chain, show_connection, show_representatives, show_transitions
else:
    import_on_use(__name__)

__all__ = [
    "Animation",
    "Camera",
    "Curve",
    "Drawing",
    "Ellipse",
    "HeatBlock",
    "Mannequin",
    "NodeMotion",
    "Polygon",
    "Polyline",
    "Primitive",
    "Row",
    "SpaceCurve",
    "Spread",
    "Text",
    "View",
    "animation",
    "check_can_draw",
    "curve_plot",
    "curves_in_space",
    "figure_json",
    "film_strip",
    "heat_strip",
    "load_ipython_extension",
    "mannequin_of",
    "match_graph_drawing",
    "nodes_of",
    "plot_scores",
    "region_plot",
    "show_blend",
    "show_chain",
    "show_cleaned",
    "show_connection",
    "show_cost_matrix",
    "show_edits",
    "show_graph_map",
    "show_graph_motion",
    "show_ground_way",
    "show_heat",
    "show_match_graph",
    "show_matches",
    "show_motifs",
    "show_region",
    "show_representatives",
    "show_rows",
    "show_segments",
    "show_selection",
    "show_space",
    "show_spread",
    "show_surprises",
    "show_transitions",
    "show_warps",
    "space_plot",
    "warp_plot",
]
