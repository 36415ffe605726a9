/** Replace the plants of a clip, as when an end of one was dragged. */
import { postJson } from "../api/client";
import type { Plant } from "../api/types";
import type { Command } from "./command";

export class SetPlants implements Command {
  readonly title = "Change plants";

  constructor(
    readonly clipId: number,
    readonly plants: readonly Plant[],
  ) {}

  async execute(): Promise<number | null> {
    const plants = this.plants.map(({ foot, part, start, stop, place }) => ({ foot, part, start, stop, place }));
    return (await postJson<{ change: number | null }>(`/clips/${this.clipId}/plants`, { plants })).change;
  }

  toJSON(): object {
    return { command: "set-plants", clip: this.clipId, plants: this.plants };
  }
}
