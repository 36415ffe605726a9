"""`motionary search`, from a made library to a table, JSON and a picture."""

import json

import pytest

from command_line import invoke
from motionary.bank import Bank, export
from motionary.errors import UsageError
from motionary.sample import sample_into


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A small sample library in which one clip is there twice."""
    path = tmp_path_factory.mktemp("made") / "made.bank"
    with Bank.open(path, create=True) as bank:
        first = sample_into(bank, minutes=0.5)[0]
        bank.add("twin", bank.recording(first.segment))
    return path


@pytest.fixture
def search(made):
    def search(*words: str):
        plain = [] if "-d" in words else ["-d", "positions"]  # whatever is the default
        plain += [] if "--mirror" in words else ["--mirror", "no"]
        done = invoke(["search", str(made), *words, *plain])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done

    return search


def rows(done) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_twin_comes_first(search):
    lines = search("#1:0s-1s", "-k", "3").stdout.splitlines()

    assert lines[0].split() == ["rank", "clip", "start", "stop", "secs", "mean", "cm", "labels"]
    assert lines[1].split()[:6] == ["1", "twin", "0", "60", "1.00", "0.00"]
    assert len(lines) == 4


def test_one_object_per_match(search):
    found = rows(search("#1:0s-1s", "-k", "3", "--json", "--mirror", "both"))

    assert [row["mean"] for row in found] == sorted(row["mean"] for row in found)
    assert [row["rank"] for row in found] == [1, 2, 3]
    assert found[0]["id"] != 1
    assert (found[0]["clip"], found[0]["start"], found[0]["mirrored"], found[0]["unit"]) == ("twin", 0, False, "cm")
    assert (found[0]["secs"], found[0]["labels"], found[0]["description"]) == (1.0, [], "")
    assert found[1]["labels"]


def test_one_match_of_each_clip(search):
    found = rows(search("#1:0s-1s", "-k", "5", "--per", "clip", "--json"))

    assert len({row["clip"] for row in found}) == len(found) > 1


def test_options_reach_the_search(search):
    within = rows(search("#1:0s-1s", "--within", "0.001", "--json"))
    angles = rows(search("#1:0s-1s", "-d", "angles", "-d", "root", "--weight", "root=0.1", "--name", "twin", "--json"))
    scaled = search("#1:0s-1s", "--scale", "5", "--distance", "euclid", "--name", "twin", "-k", "1").stdout
    lcss = search("#1:0s-1s", "--distance", "lcss", "--joints", "LeftHand", "-k", "1", "--mirror", "both").stdout
    nothing = search("#1:0s-1s", "--within", "0", "--name", "ada*")

    assert [row["clip"] for row in within] == ["twin"]
    assert {(row["clip"], row["unit"]) for row in angles} == {("twin", "°")}
    assert scaled.splitlines()[0].split()[-1] == "scale"
    assert lcss.splitlines()[0].split()[-1] == "side"
    assert "no match in" in nothing.stderr
    with pytest.raises(UsageError, match="--weight takes NAME=NUMBER"):
        search("#1:0s-1s", "--weight", "LeftHand")


def test_a_picture_of_query_and_matches(search, tmp_path):
    path = tmp_path / "strip.svg"

    done = search("#1:0s-1s", "-k", "2", "-o", str(path))

    assert "the query and 2 of its matches" in done.stderr
    assert "twin" in path.read_text(encoding="utf-8")


def test_a_file_finds_the_clip_that_it_is(search, made, tmp_path):
    with Bank.open(made) as bank:
        name = bank.clip(1).name
        export(bank, ["#1"], tmp_path / "take.bvh")

    found = rows(search(f"{tmp_path / 'take.bvh'}:0s-1s", "-k", "2", "--json"))

    assert {row["clip"] for row in found} == {name, "twin"}  # a file has no own place
    assert all(row["mean"] < 0.01 for row in found)


def test_key_poses_stand_in_the_querys_place(search, tmp_path):
    poses = [word for i in range(5) for word in ("--pose", f"#1:{i / 4}s@{i / 4}")]

    found = rows(search(*poses, "twin", "-k", "1", "--json", "-o", str(tmp_path / "strip.svg")))

    assert [(row["clip"], row["start"]) for row in found] == [("twin", 0)]
    assert "5 key poses of" in (tmp_path / "strip.svg").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="QUERY is missing"):
        search()


def test_parts_from_elsewhere_and_parts_to_be_unlike(search):
    same = rows(search("#1:0s-1s", "--from", "arms, Head=twin:0s-1s", "-k", "1", "--json"))
    unlike = rows(
        search(
            "#1:0s-1s", "--unlike", "twin:0s-1s", "--unlike-weight", "3", "-k", "1", "--json", "--distance", "euclid"
        )
    )

    assert (same[0]["clip"], same[0]["mean"]) == ("twin", pytest.approx(0.0, abs=1e-6))
    assert unlike[0]["clip"] != "twin"
    assert unlike[0]["mean"] < 0
    with pytest.raises(UsageError, match="did you mean 'left arm'"):
        search("#1:0s-1s", "--from", "lfet arm=twin:0s-1s")


def test_numbers_along_the_query(search):
    plain = search("#1:0s-1s", "-k", "3", "--json").stdout
    same = search("#1:0s-1s", "-k", "3", "--json", "--window", "10,10,10", "--over-time", "2,2").stdout

    assert [row["mean"] for row in map(json.loads, same.splitlines())] == pytest.approx(
        [row["mean"] for row in map(json.loads, plain.splitlines())]
    )
    with pytest.raises(UsageError, match="--over-time takes numbers separated by commas"):
        search("#1:0s-1s", "--over-time", "a lot")


def test_clips_that_are_left_out(search):
    found = rows(search("#1:0s-1s", "-k", "3", "--json", "--without-name", "twin"))

    assert "twin" not in {row["clip"] for row in found}


def test_at_least_so_many(search):
    done = search("#1:0s-1s", "--within", "0.001", "--at-least", "1")
    never = search("#1:0s-1s", "--within", "0.001", "--at-least", "2", "--window", "80", "--name", "twin")

    assert "1 found with a window of 10%" in done.stderr
    assert "only 1 of 2 matches found, even with a window of 100%" in never.stderr


def test_a_strict_tolerance_is_told(search):
    done = search("#1:0s-1s", "--distance", "lcss", "--tolerance", "0", "--without-name", "twin")
    with pytest.raises(UsageError, match="all tolerances are infinite"):
        search("#1:0s-1s", "--distance", "lcss", "--tolerance-of", "positions=inf")

    assert "a tolerance of 0 is strict here: no match has a frame in common with it; 0.1, or" in done.stderr


def test_the_help_page_lists_the_basic_options_and_all_of_them_in_groups():
    basic, everything = (invoke(["search", word]).stdout for word in ("--help", "--help-all"))

    assert "--within" in basic
    assert "--tolerance" not in basic
    assert basic.count("─ ") <= 10
    for panel in ("Query", "Comparison", "Clips to search", "Number of matches", "Explain, cluster, learn", "Results"):
        assert f"─ {panel} ─" in everything
    for flag in ("--tolerance-of", "--unlike-weight", "--pose", "--dismiss"):
        assert flag in everything


def test_the_help_page_of_a_method_lists_its_own_options_only():
    web = invoke(["search", "--help-all", "--by", "web"]).stdout
    wpca = invoke(["search", "--by=wpca", "--help"]).stdout

    assert "--epsilon" in web
    assert "--mirror" not in web
    assert "--character" in wpca
    assert "--epsilon" not in wpca


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ["#1:0s-1s", "--from", "twin:0s-1s"],
            "arms=wave:0-60, not 'twin:0s-1s'",
        ),
        (["#1:0s-1s", "--from", "arms", "twin:0s-1s"], "not 'arms'"),
        (["#1:0s-1s", "--unlike", "=twin"], "--unlike takes PARTS=QUERY"),
        (["#1:0s-1s", "--pose", "#1:0@0", "--pose", "#1:9@1"], "use either QUERY or --pose"),
        (["#1:0s-1s", "--window", "200"], "--window takes percentages from 0 to 100, not 200"),
        (["#1:0s-1s", "--window", "5,-1"], "--window takes percent, as in --window 15, not '-1'"),
        (["#1:0s-1s", "--distance", "euclid", "--window", "5"], "--window needs --distance dtw or lcss, not euclid"),
        (
            ["#1:0s-1s", "--distance", "euclid", "--at-least", "5"],
            "--at-least needs --distance dtw or lcss",
        ),
        (["#1:0s-1s", "--tolerance", "1"], "--tolerance needs --distance lcss, not dtw"),
        (["#1:0s-1s", "--tolerance-of", "Head=inf"], "--tolerance-of needs --distance lcss, not dtw"),
        (["#1:0s-1s", "--unlike-weight", "1"], "--unlike-weight needs --unlike"),
        (["#1:0s-1s", "--epsilon", "3"], "--by exact has no --epsilon; --epsilon belongs to --by web"),
        (["#1:0s-1s", "--by", "scan", "--space", "x", "--epsilon", "2"], "--by scan has no --space or --epsilon"),
        (["#1:0s-1s", "--by", "web", "--onsets", "3"], "--by web has no --onsets or --mirror or --description"),
        (["#1:0s-1s", "--within", "-3"], "--within must not be negative"),
        (["#1:0s-1s", "--within", "3", "--distance", "lcss"], "--within must be between 0 and 1 for lcss, not 3"),
        (["#1:0s-1s", "--open", "1", "--dismiss", "1"], "use either --open or --dismiss"),
        (["#1:0s-1s", "-o", "x.jpg"], "'x.jpg' does not end in .png, .svg, .gif or .mp4; name one of these"),
        (["#1:0s-1s", "--view", "front"], "--view needs -o"),
        (["#1:0s-1s", "--scale", "100"], "--scale must be below 1 (100 %)"),
        (["#1:0s-1s", "--keep-profile", "x"], "--keep-profile needs --accept or --reject"),
        (["#1:0s-1s", "--steps", "2", "--scale", "10"], "--steps cannot be combined with scale"),
        (["#1:0s-1s", "--steps", "2", "--explain"], "use either --steps or --explain and --heat"),
        (["#1:0s-1s", "--heat", "x.gif"], "'x.gif' does not end in .png or .svg; name one of these"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anybody_waits(made, words, problem):
    plain = ["--mirror", "no", "-d", "positions"] if "--by" in words else []
    done = invoke(["search", str(made), *words, *plain])

    assert isinstance(done.exception, UsageError)
    assert problem in str(done.exception)
    assert done.output == ""


def test_a_picture_where_no_file_can_be_is_refused_first(made, tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.png").mkdir()

    for path, problem in (("file/x.png", "file is no folder"), ("folder.png", "it is a folder")):
        done = invoke(["search", str(made), "#1:0s-1s", "-o", str(tmp_path / path)])
        assert problem in str(done.exception)
        assert done.output == ""


def test_negative_means_stand_below_each_other(search):
    done = search("#1:0s-1s", "--unlike", "twin:0s-1s", "--unlike-weight", "3", "-k", "3", "--within", "-1")
    header, *lines = done.stdout.splitlines()

    assert "negative means: matches are farther from the counterexamples" in done.stderr
    end = header.index("cm") + 2
    assert all("-" in line and line[end - 1].isdigit() and line[end : end + 1] in ("", " ") for line in lines)


def test_segments_are_found_by_properties_alone(made, tmp_path):
    picture = tmp_path / "found.png"
    conditions = ["--where", "energy > 0", "--where", "duration > 0.9", "--length", "1", "--name", "twin"]
    done = invoke(["search", str(made), *conditions, "-k", "2", "-o", str(picture), "--keep", "lively"])
    header, *lines = done.stdout.splitlines()

    assert header.split()[:9] == ["rank", "clip", "start", "stop", "secs", "energy", "m/s", "duration", "s"]
    assert [line.split()[1] for line in lines] == ["twin", "twin"]
    assert picture.stat().st_size > 0
    with Bank.open(made) as bank:
        assert [segment.clip_id for segment in bank.segments_of(["@lively"])] == [2, 2]
        bank.remove_selections(["lively"])

    done = invoke(["search", str(made), "--where", "turn > 10000", "--label", "idle", "--json"])
    assert rows(done) == []
    assert "no segment of 2 s in the frames labelled idle fulfils turn > 10000" in done.stderr
    (row, *_) = rows(invoke(["search", str(made), "--where", "speed >= 0", "--json"]))
    assert set(row["properties"]) == {"speed"}


def test_a_clip_by_name_is_a_query_beside_conditions(search):
    done = search("twin", "--where", "duration > 0", "-k", "1")

    assert "mean" in done.stdout.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--where", "turn > 3", "--scale", "10"], "--scale needs QUERY; without it, --where can be combined with"),
        (["--where", "turn > 3", "--explain"], "--explain needs QUERY"),
        (["--where", "time > 3"], "'time > 3' is not a condition"),
        (["#1:0s-1s", "--length", "1"], "--length needs --where without QUERY"),
        (["--length", "1"], "--length needs --where without QUERY"),
        (
            ["#1:0s-1s", "--scale", "1.5"],
            "--scale 1.5 may mean percent or a factor: it takes percent; write --scale 50, or 1.5% if you mean that",
        ),
        (["#1:0s-1s", "--scale", "0.1"], "write --scale 10"),
        ([], "QUERY is missing: give CLIP:START-STOP, a motion file, key poses with --pose, or conditions"),
    ],
)
def test_what_is_missing_or_ambiguous_is_told(made, words, problem):
    assert problem in str(invoke(["search", str(made), *words]).exception)


def test_all_that_has_a_label_is_an_example(made):
    with Bank.open(made) as bank:
        bank.label(["#1:0-60", "#1:90-150"], "example")
        bank.label([f"#1:{start}-{start + 30}" for start in range(101)], "many")

    labelled, listed = (
        rows(invoke(["search", str(made), *query, "-k", "3", "--json"]))
        for query in (["label:example"], ["#1:0-60", "--also", "#1:90-150"])
    )
    problem = str(invoke(["search", str(made), "label:many"]).exception)
    with Bank.open(made) as bank:
        bank.unlabel("#1", ["example", "many"])

    table = invoke(["search", str(made), "#1:0-60", "--also", "#1:90-150", "-k", "3"]).stdout
    assert "nearest to" in table.splitlines()[0]
    assert all(row["nearest_to"] in line for row, line in zip(listed, table.splitlines()[1:], strict=True))
    assert [(row["mean"], row["nearest_to"]) for row in labelled] == [
        (row["mean"], row["nearest_to"]) for row in listed
    ]
    assert problem.startswith(
        "label:many names 101 segments, and a search takes 100 examples at most; name some of them"
    )


@pytest.mark.parametrize("by", ["exact", "wpca"])
def test_conditions_on_matches_show_their_values(made, by):
    words = ["search", str(made), "#1:0s-1s", "--by", by, "--where", "turn > -999", "--where", "energy > 0", "-k", "2"]
    header, *lines = invoke(words).stdout.splitlines()
    found = rows(invoke([*words, "--json"]))

    assert "turn °  energy m/s" in header
    assert len(lines) == len(found) == 2
    for line, row in zip(lines, found, strict=True):
        assert list(row["properties"]) == ["turn", "energy"]
        assert all(f"{value:.2f}" in line for value in row["properties"].values())


def test_limit_is_another_word_for_k_and_percent_signs_may_stay(search):
    assert len(rows(search("#1:0s-1s", "--limit", "2", "--json"))) == 2
    percent = rows(search("#1:0s-1s", "--window", "20%", "--scale", "10%", "--json"))
    assert percent == rows(search("#1:0s-1s", "--window", "20", "--scale", "10", "--json"))


@pytest.mark.parametrize(
    "words",
    [["search", "{}", "a:0-60"], ["search", "{}", "--where", "turn > 3"], ["motifs", "{}"], ["surprises", "{}"]],
)
def test_an_empty_bank_says_how_to_fill_it(tmp_path, words):
    path = tmp_path / "empty.bank"
    with Bank.open(path, create=True):
        pass

    problem = str(invoke([word.format(path) for word in words]).exception)

    assert problem == f"{path}: contains no clips. `motionary import {path} FOLDER` imports your files"


def test_no_match_names_the_conditions(made):
    done = invoke(["search", str(made), "#1:0s-1s", "--where", "turn > 10000"])

    assert "no match that fulfils turn > 10000 in " in done.stderr


def test_a_second_bank_or_an_interval_apart_is_told(made):
    assert "A command takes one bank" in str(invoke(["search", str(made), "#1:0-60", "other.bank"]).exception)
    assert "An interval follows its clip after a colon" in str(invoke(["search", str(made), "#1", "0-60"]).exception)
