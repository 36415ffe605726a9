/** Keep a motion that was made as a clip: the same request again, with a name. */
import { postJson } from "../api/client";
import type { Command } from "./command";

export class KeepMade implements Command {
  readonly title: string;

  constructor(
    readonly path: string,
    readonly body: object,
    readonly name: string,
  ) {
    this.title = `Keep ${name}`;
  }

  async execute(): Promise<number | null> {
    return (await postJson<{ change: number | null }>(this.path, { ...this.body, keep: this.name })).change;
  }

  toJSON(): object {
    return { command: "keep-made", path: this.path, body: this.body, name: this.name };
  }
}
