/** Mannequins, each fetched once: what is drawn around the nodes of a motion. */
import { getJson } from "../api/client";
import type { MannequinAnswer } from "../api/types";
import { type Mannequin, mannequinOf } from "../draw/mannequin";

const asked = new Map<string, Promise<Mannequin>>();
const known = new Map<string, Mannequin>();

export function mannequin(key: string): Promise<Mannequin> {
  let promise = asked.get(key);
  if (!promise) {
    promise = getJson<MannequinAnswer>(`/mannequins/${encodeURIComponent(key)}`).then((answer) => {
      const built = mannequinOf(answer);
      known.set(key, built);
      return built;
    });
    promise.catch(() => asked.delete(key));
    asked.set(key, promise);
  }
  return promise;
}

export function knownMannequin(key: string): Mannequin | undefined {
  return known.get(key);
}

export function forgetMannequins(): void {
  asked.clear();
  known.clear();
}
