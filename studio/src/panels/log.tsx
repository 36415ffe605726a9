/** Every change of the bank, the newest first; each can be undone. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { getJson } from "../api/client";
import type { Change } from "../api/types";
import { execute } from "../commands/history";
import { UndoChange } from "../commands/undo_change";
import { revision } from "../state/bank";
import { report } from "../state/notices";
import { offerWording } from "../ui/copy";

const MOST = 200;

export default function Log() {
  const changes = useSignal<readonly Change[] | null>(null);
  useSignalEffect(() => {
    void revision.value;
    getJson<{ changes: Change[] }>(`/log?last=${MOST}`).then((answer) => (changes.value = answer.changes), report);
  });
  useEffect(
    () =>
      offerWording(() => ({
        command: ["log", "BANK"],
        python: ["for change in bank.log():", "    print(change.id, change.command)"],
      })),
    [],
  );
  return (
    <>
      <div class="bar">
        <h1>Log</h1>
        <span class="faint small">Undo takes back one change; what was changed later may stand in its way.</span>
      </div>
      <div class="page">
        {changes.value?.length === 0 && <p class="faint">Nothing has been changed in this bank yet.</p>}
        <table class="table">
          <thead>
            <tr>
              <th>Change</th>
              <th>When</th>
              <th>What</th>
              <th>
                <span class="hidden-from-view">Undo</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.value?.map((change) => (
              <tr key={change.change} class={change.undone_by ? "faint" : ""}>
                <td class="number">{change.change}</td>
                <td class="number faint" style={{ whiteSpace: "nowrap" }} title={new Date(change.at).toLocaleString()}>{when(change.at)}</td>
                <td>
                  {change.command}
                  {change.undone_by ? <span class="small"> · undone by {change.undone_by}</span> : null}
                </td>
                <td>
                  {!change.permanent && !change.undone_by && (
                    <button class="small" onClick={() => void execute(new UndoChange(change.change))} aria-label={`Undo change ${change.change}`}>
                      Undo
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** "2026-11-19 16:06", as the command line writes it, in this machine's time. */
function when(at: string): string {
  const date = new Date(at);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
