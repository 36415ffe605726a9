import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.made_graphs import made_graph
from motionary.errors import UsageError
from motionary.graph import FollowOptions, GroundPath, follow_path, read_ground_path
from motionary.graph.generation import ground_path
from motionary.graph.ground_path import parsed_points
from motionary.graph.path_search import fastest_root, least_cost_left, least_cost_reference, steering_limits
from motionary.graph.svg_path import svg_path_points, svg_points


def walkers(**options):
    """Clips that walk ahead, 1.2 m/s and a little to the side, with many transitions."""
    return made_graph(2, n_clips=10, n_frames=60, n_transitions=400, half=3, **options).pruned()


LINE = GroundPath.through([(0.0, 0.0), (0.0, 4.0)])


def test_a_line_is_followed_to_its_end():
    followed = follow_path(walkers(), LINE)

    assert followed.distances.max() < 0.3
    assert abs(followed.route.way[1][-1] - LINE.points[-1]) < 0.5
    assert followed.route.all_lead_on


def test_the_same_search_finds_the_same_way_and_a_wider_one_nothing_worse():
    graph = walkers()

    narrow = follow_path(graph, LINE, options=FollowOptions(width=8))
    again = follow_path(graph, LINE, options=FollowOptions(width=8))
    wide = follow_path(graph, LINE, options=FollowOptions(width=128))

    assert (narrow.route.taken == again.route.taken).all()
    assert wide.cost <= narrow.cost


SHORT = GroundPath.through([(0.0, 0.0), (0.0, 1.0), (0.3, 1.6)])


@settings(max_examples=40)
@given(st.integers(0, 5000), st.integers(0, 3), st.sampled_from([0.0, 20.0]))
def test_the_best_way_along_a_path_is_that_of_all_ways(seed, dwell, steer):
    graph = made_graph(seed, n_clips=4, n_frames=40, n_transitions=10, dwell=dwell)
    options = FollowOptions(width=2048, alike_frames=0, most_off=0.4, steer_deg=steer)
    expected = least_cost_reference(graph, SHORT, options, 2)

    if not np.isfinite(expected):
        with pytest.raises(UsageError, match="no motion"):
            follow_path(graph, SHORT, options=options, start=2)
        return
    found = follow_path(graph, SHORT, options=options, start=2)

    assert found.cost == pytest.approx(expected, rel=1e-9)
    assert found.is_optimal
    assert found.route.obeys_dwell()
    # at its beginning the bound is below the true cost
    left = least_cost_left(SHORT.points[:1], SHORT, options=options, fastest=fastest_root(graph.ways, graph.rate_hz))
    assert 0.0 < left[0] <= expected


@pytest.mark.parametrize("scale", [0.6, 1.5])
def test_the_way_that_was_found_is_that_of_the_body_that_moves(scale):
    followed = follow_path(walkers(), LINE, scale=scale)

    assert abs(followed.route.way[1][-1] - LINE.points[-1]) < 0.5
    assert followed.distances.max() < 0.3


def test_only_bodies_that_move_are_steered():
    walking = walkers()
    standing = walking.scaled(0.01)  # it sways by less than 3 mm in a blend

    assert steering_limits(walking, 0.2).max() == 0.2
    assert steering_limits(standing, 0.2).max() < 0.01
    followed = follow_path(walking, BEND, options=FollowOptions(steer_deg=30.0))
    assert np.abs(followed.route.steers).max() > 0.1
    limits = steering_limits(walking, np.radians(30.0))[followed.route.taken]
    assert (np.abs(followed.route.steers) <= limits).all()


def test_clips_play_on_beyond_the_horizon_if_nothing_is_better():
    graph = made_graph(2, n_clips=2, n_frames=200, n_transitions=2)
    line = GroundPath.through([(0.0, 0.0), (0.0, 3.0)])  # more than two seconds

    followed = follow_path(graph, line, options=FollowOptions(most_off=3.0), start=0)

    assert followed.route.duration_secs > 2.0


@pytest.mark.parametrize("width", [1, 3, 20])
def test_every_effort_finds_a_way(width):
    followed = follow_path(walkers(), LINE, options=FollowOptions(width=width))

    assert followed.width <= 512


BEND = GroundPath.through([(0.0, 0.0), (0.0, 2.0), (2.0, 2.5)])


def test_a_search_that_strays_or_finds_nothing_goes_on_with_more_states():
    found = [
        follow_path(
            made_graph(seed, n_clips=10, n_frames=60, n_transitions=400, half=3).pruned(), BEND, options=options
        )
        for seed in (0, 2)  # with few states the one finds nothing, the other strays by 35 cm
        for options in (FollowOptions(width=1), FollowOptions(width=1))
    ]

    assert all(followed.distances.max() < 0.25 for followed in found)
    assert all(1 < followed.width <= 512 for followed in found)
    assert [followed.cost for followed in found[::2]] == [followed.cost for followed in found[1::2]]


def test_a_search_with_more_time_finds_nothing_worse():
    graph, options = walkers(), FollowOptions(width=1)

    found = [follow_path(graph, LINE, options=options, time_limit_secs=secs).cost for secs in (1e-6, 0.5)]

    assert found[1] <= found[0]


def test_costs_that_are_no_numbers_are_refused():
    for options in ({"off_path": float("nan")}, {"per_blend": -1.0}, {"per_second": float("inf")}):
        with pytest.raises(UsageError, match="must be at least 0, and finite"):
            FollowOptions(**options)


def test_a_path_out_of_reach_is_told():
    bend = GroundPath.through([(0.0, 0.0), (0.0, 2.0), (4.0, 2.0)])

    with pytest.raises(UsageError, match=r"no motion of this graph that stays within 0.1 m of the path"):
        follow_path(walkers(), bend, options=FollowOptions(most_off=0.1, steer_deg=0.0, width=8))


def test_paths_come_from_points_csv_and_svg(tmp_path):
    (tmp_path / "a.csv").write_text("x,z\n0,0\n2,0\n2,3\n")
    (tmp_path / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0 h2 v3"/></svg>')

    for path in (ground_path("0,0 2,0 2,3"), *(read_ground_path(tmp_path / f"a.{kind}") for kind in ("csv", "svg"))):
        assert path.length == pytest.approx(5.0, abs=0.05)
        assert path.points[0] == 0.0
        assert path.points[-1] == 2 + 3j
    assert path.distances(np.array([1 + 0.5j, 2.25 + 1j])) == pytest.approx([0.5, 0.25])


def test_curves_of_svg_paths_are_followed():
    circle = svg_path_points("M1,0 C1,0.5523 0.5523,1 0,1 S-1,0.5523 -1,0 Q-1,-1 0,-1 t1,1 z")

    assert abs(abs(circle[:40]).max() - 1.0) < 0.01
    assert circle[-1] == 1.0


@pytest.mark.parametrize(
    "data",
    ["M0 0 A2 2 0 0 1 2 2", "m0,0a2 2 0 0 1 2 2", "M0 0a2 2 0 012 2", "M0 0 A1 1 0 0 1 2 2", "M0 0 A2 2 30 0 1 2 2"],
)
def test_arcs_are_round(data):
    points = svg_path_points(data)

    centre = 1 + 1j if "1 1" in data else 2j
    assert points[-1] == 2 + 2j
    assert np.abs(points - centre) == pytest.approx(abs(centre), abs=1e-12)
    assert len(points) > 10


def test_arcs_go_the_way_that_their_flags_say():
    ends = {}
    for large in (0, 1):
        for sweep in (0, 1):
            points = svg_path_points(f"M1 0 A1 1 0 {large} {sweep} 0 1")
            ends[large, sweep] = (np.abs(np.diff(points)).sum(), points[len(points) // 2])

    quarter, rest = np.pi / 2, 3 * np.pi / 2
    assert [ends[key][0] for key in ((0, 0), (0, 1), (1, 0), (1, 1))] == pytest.approx(
        [quarter, quarter, rest, rest], rel=2e-3
    )
    assert ends[0, 1][1] == pytest.approx(np.exp(0.25j * np.pi), abs=1e-9)  # about the origin
    assert abs(ends[0, 0][1] - (1 + 1j)) == pytest.approx(1.0)  # about (1, 1)
    assert ends[1, 1][1] == pytest.approx((1 + 1j) + np.exp(0.25j * np.pi), abs=0.1)


@pytest.mark.parametrize(
    ("inside", "ends"),
    [
        ('<g transform="translate(10,5) scale(2)"><path d="M0 0 h3"/></g>', (10 + 5j, 16 + 5j)),
        ('<path transform="rotate(90)" d="M1 0 h1"/>', (1j, 2j)),
        ('<path transform="rotate(90 1 1)" d="M1 0 V1"/>', (2 + 1j, 1 + 1j)),
        ('<path transform="matrix(1 2 3 4 5 6)" d="M1 1 L0 0"/>', (9 + 12j, 5 + 6j)),
        ('<defs><path d="M5 5 h1"/></defs><line x1="1" y1="2" x2="3" y2="4"/>', (1 + 2j, 3 + 4j)),
        ('<polyline points="0,0 1,1 2,0"/>', (0j, 2 + 0j)),
        ('<polygon points="0,0 1,1 2,0"/>', (0j, 0j)),
        ('<rect x="1" y="1" width="2" height="3"/>', (1 + 1j, 1 + 1j)),
        ('<circle cx="1" cy="1" r="2"/>', (3 + 1j, 3 + 1j)),
        ('<rect width="100%" height="100%"/><path d="M0 0"/><path d=""/><path d="M1 0 h1"/>', (1 + 0j, 2 + 0j)),
        ('<path d="M5 5h1" style="x:y; display:none"/><g display="none"><line x2="5"/></g><line x2="1"/>', (0, 1)),
    ],
)
def test_shapes_and_transforms_of_drawings_are_read(inside, ends):
    points = svg_points(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>', where="a.svg")

    assert points[[0, -1]] == pytest.approx(ends)


def test_a_header_says_which_columns_are_x_and_z(tmp_path):
    (tmp_path / "a.csv").write_text("t, Z, y, X\n0, 0, 9, 0\n1, 0, 9, 2\n2, 3, 9, 2\n")

    path = read_ground_path(tmp_path / "a.csv")

    assert path.points[[0, -1]] == pytest.approx([0, 2 + 3j])


@pytest.mark.parametrize(
    "text",
    [
        "x;z\n0,0;0\n2,5;3\n",
        "0\t0\n2.5\t3\n",
        "# a path\n0 0\n2.5 3\n",
        "0,0,\n2.5,3,\n",
        '"x","y","z"\r\n0,9,0\r\n2.5,9,3\r\n',
    ],
)
def test_tables_may_have_semicolons_tabs_or_blanks(tmp_path, text):
    (tmp_path / "a.csv").write_text(text)

    assert read_ground_path(tmp_path / "a.csv").points[[0, -1]] == pytest.approx([0, 2.5 + 3j])


def test_drawings_with_a_plain_doctype_are_read():
    head = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'

    assert svg_points(f'{head}<svg><path d="M0 0h3"/></svg>', where="a.svg").tolist() == [0, 3]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "0,1,0\n1,1,2\n", "a.csv:1: more than two columns"),
        ("a.svg", '<svg><polyline points="0,0 x 1,1"/></svg>', "are not numbers"),
        ("a.svg", '<svg><path d="M0 0 L1e999 0"/></svg>', "too large"),
        ("a.svg", '<svg><path transform="turn(3)" d="M0 0 h1"/></svg>', "transform 'turn"),
        ("a.svg", '<svg><circle r="2mm"/></svg>', "convert it to a path"),
        ("a.svg", '<svg><path d="M0 0 A1 1 0 2 0 1 1"/></svg>', "a flag of an arc"),
        ("a.svg", '<svg><path d="L1 1"/></svg>', "command M"),
        ("a.csv", "x,z\n1,1\nno,1\n", "a.csv:3: expected two numbers"),
        ("a.csv", "x,z\n", "no points"),
        ("a.csv", "1,1\n", "at least two points"),
        ("a.csv", "0,0\n1," + "1" * 200_000, "not a CSV file"),
        ("a.csv", "0,0\ninf,1", "not a finite number"),
        ("a.csv", "0,0\n1e308,1\n-1e308,0", "too long"),
        ("a.svg", "<svg>" + "<g>" * 50_000 + "</g>" * 50_000 + "</svg>", "nested too deeply"),
        ("a.svg", "<svg></svg>", "has no path"),
        ("a.svg", "<svg", "not an SVG file"),
        ("a.svg", '<svg><path d="M0 0 L1"/></svg>', "end too early"),
        ("a.svg", '<svg><path d="M0 0 ! 1"/></svg>', "not valid SVG"),
        ("a.svg", '<!DOCTYPE x [<!ENTITY a "b">]><svg><path d="M0 0"/></svg>', "DOCTYPE"),
    ],
)
def test_files_that_hold_no_path_say_why(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)

    with pytest.raises(UsageError, match=said):
        read_ground_path(tmp_path / name)


@pytest.mark.parametrize("text", ["", "0,0", "0,0 a,1", "1 2 3"])
def test_texts_that_are_no_points_are_refused(text):
    with pytest.raises(UsageError):
        GroundPath.through(parsed_points(text))
