/** What can be undone: one file per command. */

export interface Command {
  readonly title: string;
  /** The change that it made; null if there was nothing to change. */
  execute(): Promise<number | null>;
  toJSON(): object;
}
