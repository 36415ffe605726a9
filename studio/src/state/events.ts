/** What the server tells by itself: how far jobs are, and that the bank was changed. One stream, while the tab is seen. */
import { request } from "../api/client";
import type { Job } from "../api/types";
import { bank, changed, connection, lostOr } from "./bank";
import { jobTold } from "./jobs";

let listening: AbortController | null = null;

/** The parts of a stream of server-sent events, as far as they are whole; and what is left. */
export function eventsIn(text: string): { events: { name: string; data: string }[]; rest: string } {
  const parts = text.split("\n\n");
  const rest = parts.pop() ?? "";
  const events = parts.flatMap((part) => {
    const lines = part.split("\n");
    const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
    const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
    return name ? [{ name, data }] : [];
  });
  return { events, rest };
}

async function listen(): Promise<void> {
  const mine = (listening = new AbortController());
  try {
    const answer = await request("GET", "/events", undefined, { signal: mine.signal });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const { events, rest } = eventsIn(text + value);
      text = rest;
      for (const { name, data } of events) heard(name, data);
    }
  } catch (error) {
    if (mine.signal.aborted) return;
    lostOr(error);
  }
  if (connection.value === "refused") return; // without a key there is nothing to hear
  if (!mine.signal.aborted) setTimeout(() => listening === mine && void listen(), 1500);
}

function heard(name: string, data: string): void {
  const facts = JSON.parse(data) as { change?: number };
  if (name === "job") jobTold(facts as unknown as Job);
  // Changes of this page have been loaded already
  if (name === "bank" && facts.change !== bank.peek()?.change) void changed();
}

/** Listen whenever the tab is seen; what changed meanwhile is loaded when it is seen again. */
export function startListening(): void {
  const follow = (): void => {
    if (document.visibilityState === "hidden") {
      listening?.abort();
      listening = null;
    } else if (!listening) {
      void listen();
    }
  };
  document.addEventListener("visibilitychange", () => {
    const wasAway = !listening;
    follow();
    if (wasAway && listening) void changed();
  });
  follow();
}
