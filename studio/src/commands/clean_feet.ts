/** Keep planted feet in place. */
import { postJson } from "../api/client";
import type { Segment } from "../api/types";
import type { Command } from "./command";

export class CleanFeet implements Command {
  readonly title = "Clean feet";

  constructor(readonly segments: readonly Segment[]) {}

  async execute(): Promise<number | null> {
    const body = { segments: this.segments, preview: false };
    return (await postJson<{ change: number | null }>("/clean", body)).change;
  }

  toJSON(): object {
    return { command: "clean-feet", segments: this.segments };
  }
}
