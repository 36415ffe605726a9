/** Remove a selection. */
import { deleteJson } from "../api/client";
import type { Command } from "./command";

export class RemoveSelection implements Command {
  readonly title: string;

  constructor(readonly name: string) {
    this.title = `Remove @${name}`;
  }

  async execute(): Promise<number | null> {
    return (await deleteJson<{ change: number | null }>(`/selections/${encodeURIComponent(this.name)}`)).change;
  }

  toJSON(): object {
    return { command: "remove-selection", name: this.name };
  }
}
