/** The search: query, options, matches and what is thought of them. */
import { clip, segment } from "./clip";
import { go } from "./route";
import { segmentName } from "../ui/format";

/** Look for what is like the marked segment. */
export function findLikeThis(): void {
  const query = segment.peek();
  if (!clip.peek() || !query) return;
  go(`/find?query=${encodeURIComponent(segmentName(query)).replaceAll("%3A", ":")}`);
}
