/** Apply an operation to a segment, and to what is like it. */
import { postJson } from "../api/client";
import type { EditBody, EditRows } from "../api/schema";
import type { Command } from "./command";

export class ApplyEdit implements Command {
  readonly title: string;

  constructor(readonly edit: EditBody) {
    this.title = `Apply ${edit.operation}`;
  }

  async execute(): Promise<number | null> {
    return (await postJson<EditRows>("/edits/apply", this.edit)).change;
  }

  toJSON(): object {
    return { command: "apply-edit", edit: this.edit };
  }
}
