/** Motions that the server makes on request: facts and motions in one answer, with the mannequins that draw them. */
import { postBytes } from "../api/client";
import { type Motion, decodeFramed } from "../api/motion";
import type { Mannequin } from "../draw/mannequin";
import { mannequin } from "./mannequins";

export interface Played {
  motion: Motion;
  mannequin: Mannequin;
}

export async function made<T>(path: string, body: object, signal?: AbortSignal): Promise<{ facts: T; played: Played[] }> {
  const { facts, motions } = decodeFramed<T & { mannequins: string[] }>(await postBytes(path, body, { signal }));
  const bodies = await Promise.all(facts.mannequins.map(mannequin));
  return { facts, played: motions.map((motion, i) => ({ motion, mannequin: bodies[i]! })) };
}

/** Only the newest request counts: while one is under way, the next waits, and those between are forgotten. */
export function newestWins<A>(ask: (argument: A) => Promise<void>): (argument: A) => void {
  let running = false;
  let next: { argument: A } | null = null;
  const run = async (argument: A): Promise<void> => {
    running = true;
    try {
      await ask(argument);
    } finally {
      running = false;
      const waiting = next;
      next = null;
      if (waiting) void run(waiting.argument);
    }
  };
  return (argument) => {
    if (running) next = { argument };
    else void run(argument);
  };
}
