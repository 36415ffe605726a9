/** Take an edit off a clip. */
import { deleteJson } from "../api/client";
import type { Command } from "./command";

export class RemoveLayer implements Command {
  readonly title: string;

  constructor(
    readonly clipId: number,
    readonly position: number,
  ) {
    this.title = `Remove layer ${position}`;
  }

  async execute(): Promise<number | null> {
    const path = `/clips/${this.clipId}/edits?position=${this.position}`;
    return (await deleteJson<{ change: number | null }>(path)).change;
  }

  toJSON(): object {
    return { command: "remove-layer", clip: this.clipId, position: this.position };
  }
}
