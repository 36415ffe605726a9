/** The options of a search: words of the command line in the address, keywords of Python in the call. */
import { pythonString, pythonValue } from "../ui/format";

export type By = "exact" | "wpca" | "web";

export interface Option {
  word: string; // on the command line and in the address
  keyword: string; // in Python and in the call
  title: string;
  help: string;
  kind: "choice" | "number" | "percent" | "parts" | "weights" | "text";
  choices?: readonly string[];
  standard: string;
  by: readonly By[];
  step?: number;
}

export const OPTIONS: readonly Option[] = [
  { word: "distance", keyword: "distance", title: "Distance", help: "dtw: time-warped; euclid: frame by frame; lcss: longest common subsequence", kind: "choice", choices: ["dtw", "euclid", "lcss"], standard: "dtw", by: ["exact"] },
  { word: "joints", keyword: "joints", title: "Joints", help: "Compare only these joints or body parts: arms, Head, left leg", kind: "parts", standard: "", by: ["exact", "wpca"] },
  { word: "weight", keyword: "weights", title: "Weights", help: "Weights of joints or body parts: hands=3, left knee=0", kind: "weights", standard: "", by: ["exact"] },
  { word: "mirror", keyword: "mirrored", title: "Mirror", help: "Also match mirror images", kind: "choice", choices: ["both", "no", "only"], standard: "both", by: ["exact", "wpca"] },
  { word: "window", keyword: "window", title: "Window %", help: "Largest time shift of a frame, in percent of the query's length", kind: "percent", standard: "10", by: ["exact"], step: 5 },
  { word: "scale", keyword: "scale", title: "Scale %", help: "How much longer or shorter than the query a match can be", kind: "percent", standard: "0", by: ["exact"], step: 5 },
  { word: "expand", keyword: "expand", title: "Second look", help: "Compare also with the mean of the query and so many of its best matches; 0 compares the query alone", kind: "number", standard: "", by: ["exact"], step: 1 },
  { word: "epsilon", keyword: "epsilon_cm", title: "Threshold cm", help: "How far apart direct matches can be; without it, estimated from the query", kind: "number", standard: "", by: ["web"], step: 0.5 },
  { word: "within", keyword: "within", title: "Within", help: "Largest mean distance, in cm or degrees", kind: "number", standard: "", by: ["exact", "wpca", "web"], step: 0.5 },
  { word: "per", keyword: "per", title: "Per", help: "All matches, or only the best of each clip or performer", kind: "choice", choices: ["match", "clip", "performer"], standard: "match", by: ["exact"] },
  { word: "label", keyword: "labels", title: "Label", help: "Only clips with this label", kind: "parts", standard: "", by: ["exact", "wpca", "web"] },
];

/** The value of an option, as the call takes it. */
export function callValue(option: Option, text: string): unknown {
  switch (option.kind) {
    case "percent":
      return Number(text) / 100;
    case "number":
      return Number(text);
    case "parts":
      return text.split(",").map((part) => part.trim()).filter(Boolean);
    case "weights":
      return Object.fromEntries(
        text.split(",").filter((pair) => pair.includes("=")).map((pair) => {
          const at = pair.lastIndexOf("=");
          return [pair.slice(0, at).trim(), Number(pair.slice(at + 1))];
        }),
      );
    default:
      return text;
  }
}

/** The options of the address that this method has and that are not as they are without being given. */
export function givenOptions(query: URLSearchParams, by: By): { option: Option; text: string }[] {
  return OPTIONS.flatMap((option) => {
    const text = query.get(option.word) ?? "";
    return text && text !== option.standard && option.by.includes(by) ? [{ option, text }] : [];
  });
}

export function commandWords(query: URLSearchParams, by: By): string[] {
  const words = givenOptions(query, by).flatMap(({ option, text }) =>
    option.kind === "weights" || option.word === "label"
      ? text.split(",").flatMap((one) => [`--${option.word}`, one.trim()])
      : [`--${option.word}`, text],
  );
  return by === "exact" ? words : ["--by", by, ...words];
}

export function pythonWords(query: URLSearchParams, by: By): string[] {
  const words = givenOptions(query, by).map(({ option, text }) => `${option.keyword}=${pythonValue(callValue(option, text))}`);
  return by === "exact" ? words : [`by=${pythonString(by)}`, ...words];
}
