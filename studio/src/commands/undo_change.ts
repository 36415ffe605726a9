/** Take back any change of the bank, whoever made it. */
import { postJson } from "../api/client";
import type { Command } from "./command";

export class UndoChange implements Command {
  readonly title: string;

  constructor(readonly undoes: number) {
    this.title = `Undo change ${undoes}`;
  }

  async execute(): Promise<number | null> {
    return (await postJson<{ change: number | null }>("/undo", { change: this.undoes })).change;
  }

  toJSON(): object {
    return { command: "undo-change", change: this.undoes };
  }
}
