import { expect, test } from "vitest";

import { keyName } from "../src/keys";
import { phasesOf } from "../src/panels/why";
import { rowsOf, shortened } from "../src/panels/timeline";
import { eventsIn } from "../src/state/events";
import { warpOf } from "../src/state/find";
import { newestWins } from "../src/state/made";
import { commandWords, givenOptions, callValue, pythonWords } from "../src/state/options";
import { fittedCells } from "../src/ui/fitted_cells";
import { duration, labelsThatFit, measured, pythonValue, segmentName, segmentOf, sentence, shellWord } from "../src/ui/format";

test("segments are written as on the command line", () => {
  expect(segmentName({ clip_id: 12, start: 120, stop: 240 })).toBe("#12:120-240");
  expect(segmentOf("#12:120-240")).toEqual({ clip_id: 12, start: 120, stop: 240 });
  for (const wrong of ["#12", "#12:9-9", "walk:1-2", ""]) expect(segmentOf(wrong)).toBeNull();
});

test("words are quoted for a shell only where they must be", () => {
  expect(shellWord("walk_01:0-60")).toBe("walk_01:0-60");
  expect(shellWord("#12:0-60")).toBe("'#12:0-60'");
  expect(shellWord("it's")).toBe("'it'\\''s'");
});

test("durations are short", () => {
  expect([1.25, 42, 125, 18840].map(duration)).toEqual(["1.3 s", "42 s", "2 min 5 s", "5 h 14 min"]);
  expect([9.97, 59.7, 119.6, 3599.8].map(duration)).toEqual(["10 s", "1 min 0 s", "2 min 0 s", "1 h 0 min"]);
});

test("a remark becomes a sentence", () => {
  expect(sentence("compared by gist")).toBe("Compared by gist.");
  expect(sentence("Is it?")).toBe("Is it?");
});

test("a distance has no more decimals than it can be trusted with", () => {
  expect(measured(42.6781, "%")).toBe("42.7 %");
  expect(measured(3.14159, "cm")).toBe("3.1 cm");
  expect(measured(0.12345, "")).toBe("0.123");
});

test("options of the address become words, keywords and values", () => {
  const query = new URLSearchParams("joints=arms,Head&window=20&mirror=both&weight=hands=3,left knee=0&scale=0");
  expect(commandWords(query, "exact")).toEqual(["--joints", "arms,Head", "--weight", "hands=3", "--weight", "left knee=0", "--window", "20"]);
  expect(pythonWords(query, "exact")).toEqual(['joints=("arms", "Head")', 'weights={"hands": 3, "left knee": 0}', "window=0.2"]);
  expect(commandWords(query, "web")).toEqual(["--by", "web"]);
  expect(commandWords(new URLSearchParams("expand=0"), "exact")).toEqual(["--expand", "0"]);
  const values = Object.fromEntries(givenOptions(query, "exact").map(({ option, text }) => [option.keyword, callValue(option, text)]));
  expect(values).toEqual({ joints: ["arms", "Head"], weights: { hands: 3, "left knee": 0 }, window: 0.2 });
});

test("a warp takes the mean of paired frames, and holds where there is none", () => {
  expect([...warpOf([0, 0, 1, 1, 1, 3, 3, 4], 4)]).toEqual([0, 2, 2, 4]);
});

test("labels that overlap lie in different rows", () => {
  const label = (start: number | null, stop: number | null) => ({ label: "x", start, stop, origin: "", strength: 1 });
  expect(rowsOf([label(0, 10), label(10, 20), label(5, 15), label(null, null)], 30)).toEqual([1, 1, 2, 0]);
});

test("names that do not fit are shortened, or left out", () => {
  const widthOf = (text: string): number => text.length;
  expect(["idle", "run_to_stand", "walk"].map((name) => shortened(name, 5, widthOf))).toEqual(["idle", "run_…", "walk"]);
  expect(shortened("idle", 2, widthOf)).toBe("");
});

test("phases are means, the part that adds most first", () => {
  const sizes = [
    [1, 10],
    [3, 30],
  ];
  expect(phasesOf(sizes, [0.2, 0.8])).toEqual([
    { part: 1, values: [10, 30] },
    { part: 0, values: [1, 3] },
  ]);
});

test("events are taken whole from a stream", () => {
  const { events, rest } = eventsIn(": alive\n\nevent: bank\ndata: {\"change\":3}\n\nevent: jo");
  expect(events).toEqual([{ name: "bank", data: '{"change":3}' }]);
  expect(rest).toBe("event: jo");
});

test("keys have one name each", () => {
  const key = (key: string, held: object = {}) => keyName({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held } as KeyboardEvent);
  expect([key(" "), key("f"), key("?", { shiftKey: true }), key("Z", { ctrlKey: true, shiftKey: true }), key("[", { altKey: true })]).toEqual([
    "Space",
    "F",
    "?",
    "Ctrl+Shift+Z",
    "Alt+[",
  ]);
});

test("of requests that come while one is under way, only the last is made", async () => {
  const made: number[] = [];
  let finish = (): void => {};
  const ask = newestWins<number>((n) => {
    made.push(n);
    return new Promise((done) => (finish = done));
  });
  ask(1);
  ask(2);
  ask(3);
  finish();
  await new Promise((done) => setTimeout(done));
  expect(made).toEqual([1, 3]);
});

test("as many labels are shown as have room, and the rest is counted", () => {
  expect(labelsThatFit(["idle", "run"], 18)).toEqual([["idle", "run"], 0]);
  expect(labelsThatFit(["idle", "jump", "kick_side"], 18)).toEqual([["idle"], 2]);
  expect(labelsThatFit(["a_label_with_a_very_long_name", "run"], 18)).toEqual([["a_label_with_a_very_long_name"], 1]);
  expect(labelsThatFit([], 18)).toEqual([[], 0]);
});

test("values are written as Python reads them", () => {
  expect(pythonValue({ a: true, b: [1], c: null, d: "it's" })).toBe('{"a": True, "b": (1,), "c": None, "d": "it\'s"}');
});

test("cells are as large as lets all be seen, whatever the shape of the room", () => {
  for (const [width, height] of [[2720, 1500], [730, 460], [400, 1200]] as const) {
    for (const n of [1, 2, 6, 25, 101]) {
      const fitted = fittedCells(n, width, height, 1)!;
      const rows = Math.ceil(n / fitted.columns);
      expect(rows * fitted.row).toBeLessThanOrEqual(height);
      // No other number of columns makes a larger figure
      for (let columns = 1; columns <= n; columns++) {
        const other = Math.min(width / columns, height / Math.ceil(n / columns));
        expect(Math.min(width / fitted.columns, fitted.row)).toBeGreaterThanOrEqual(Math.floor(other));
      }
    }
  }
  expect(fittedCells(25, 730, 460, 130)).toBeNull(); // too small to judge: a list that scrolls
});
