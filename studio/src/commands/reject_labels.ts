/** Reject spread labels, which are taken off. */
import { postJson } from "../api/client";
import type { SpreadLabel } from "../api/types";
import type { Command } from "./command";

export class RejectLabels implements Command {
  readonly title: string;

  constructor(readonly spread: SpreadLabel) {
    this.title = `Reject ${spread.label} on ${spread.clip}:${spread.start}-${spread.stop}`;
  }

  async execute(): Promise<number | null> {
    const { label, clip_id, start, stop } = this.spread;
    const body = { labels: [label], segments: [{ clip_id, start, stop }] };
    return (await postJson<{ change: number | null }>("/labels/reject", body)).change;
  }

  toJSON(): object {
    return { command: "reject-labels", spread: this.spread };
  }
}
