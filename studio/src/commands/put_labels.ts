/** Put labels on segments and whole clips. */
import { postJson } from "../api/client";
import type { Segment } from "../api/types";
import { segmentName } from "../ui/format";
import type { Command } from "./command";

export class PutLabels implements Command {
  readonly title: string;

  constructor(
    readonly labels: readonly string[],
    readonly segments: readonly Segment[],
    readonly clips: readonly number[] = [],
  ) {
    this.title = `Label ${labels.join(", ")}${segments.length === 1 && !clips.length ? ` on ${segmentName(segments[0]!)}` : ""}`;
  }

  async execute(): Promise<number | null> {
    return (await postJson<{ change: number | null }>("/labels", this.body())).change;
  }

  toJSON(): object {
    return { command: "put-labels", ...this.body() };
  }

  private body(): object {
    const segments = this.segments.map(({ clip_id, start, stop }) => ({ clip_id, start, stop }));
    return { labels: this.labels, segments, clips: this.clips };
  }
}
