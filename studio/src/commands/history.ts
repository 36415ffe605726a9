/** What this page has changed, for undo and redo: its own changes, never "the newest". */
import { signal } from "@preact/signals";

import { postJson } from "../api/client";
import { changed } from "../state/bank";
import { notify, report } from "../state/notices";
import type { Command } from "./command";

interface Done {
  command: Command;
  change: number;
}

export const done = signal<readonly Done[]>([]);
export const undone = signal<readonly Done[]>([]);

/** A change that was made without a command, as by a job or a verdict: undo takes it back like the others. */
export function record(title: string, change: number | null): void {
  if (change === null) return;
  const command: Command = { title, execute: () => Promise.resolve(null), toJSON: () => ({ command: title }) };
  done.value = [...done.value, { command, change }];
  undone.value = [];
}

let before: Promise<unknown> = Promise.resolve();

/** One after the other, in the order of the keys: the second undo takes back what the first has left. */
function inTurn<T>(action: () => Promise<T>): Promise<T> {
  const mine = before.then(action);
  before = mine.catch(() => {});
  return mine;
}

/** Carry out a command; whether it succeeded. */
export function execute(command: Command): Promise<boolean> {
  return inTurn(() => carryOut(command));
}

export function undo(): Promise<void> {
  return inTurn(undoLast);
}

export function redo(): Promise<void> {
  return inTurn(redoLast);
}

async function carryOut(command: Command): Promise<boolean> {
  try {
    const change = await command.execute();
    if (change !== null) {
      done.value = [...done.value, { command, change }];
      undone.value = [];
      await changed();
    }
    if (change === null) notify(`${command.title}: nothing to change`);
    else notify(`Done: ${command.title}`, "done", change);
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

async function undoLast(): Promise<void> {
  const last = done.value.at(-1);
  if (!last) return notify("This page has changed nothing that could be undone.");
  try {
    await postJson("/undo", { change: last.change });
    done.value = done.value.slice(0, -1);
    undone.value = [...undone.value, last];
    notify(`Undone: ${last.command.title}`);
    await changed();
  } catch (error) {
    report(error);
  }
}

async function redoLast(): Promise<void> {
  const last = undone.value.at(-1);
  if (!last) return notify("There is nothing to redo.");
  try {
    await postJson("/redo", { change: last.change });
    undone.value = undone.value.slice(0, -1);
    done.value = [...done.value, last];
    notify(`Redone: ${last.command.title}`);
    await changed();
  } catch (error) {
    report(error);
  }
}
