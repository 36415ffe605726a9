/** Keep matches or segments as a selection. */
import { postJson } from "../api/client";
import type { Segment } from "../api/types";
import type { Command } from "./command";

export type Item = { segment: Segment; result?: string; rank?: number };

export class KeepSelection implements Command {
  readonly title: string;

  constructor(
    readonly name: string,
    readonly items: readonly Item[],
  ) {
    this.title = `Keep ${items.length} as @${name}`;
  }

  async execute(): Promise<number | null> {
    return (await postJson<{ change: number | null }>("/selections", { name: this.name, items: this.items })).change;
  }

  toJSON(): object {
    return { command: "keep-selection", name: this.name, items: this.items };
  }
}
