/** What the page shows, as a command and as Python, on the clipboard. */
import { bank } from "../state/bank";
import { notify } from "../state/notices";
import { pythonString, shellWord } from "./format";

export interface Wording {
  command: readonly string[]; // words after `motionary`; BANK stands for the bank
  python: readonly string[]; // lines within `with … as bank:`
}

/** What "Copy as command" copies: set by whatever the page shows. */
let current: (() => Wording) | null = null;

/** Say how to do on the command line what is shown; the answer takes it back. */
export function offerWording(wording: () => Wording): () => void {
  current = wording;
  return () => {
    if (current === wording) current = null;
  };
}

function bankName(): string {
  return bank.peek()?.name ?? "library.bank";
}

export function asCommand(wording: Wording): string {
  return ["motionary", ...wording.command.map((word) => (word === "BANK" ? bankName() : word)).map(shellWord)].join(" ");
}

export function asPython(wording: Wording): string {
  const lines = ["import motionary", "", `with motionary.Bank.open(${pythonString(bankName())}) as bank:`];
  return [...lines, ...wording.python.map((line) => `    ${line}`)].join("\n");
}

export async function copyWording(kind: "command" | "python"): Promise<void> {
  const wording = current?.() ?? { command: ["ls", "BANK"], python: ["print([clip.name for clip in bank.clips()])"] };
  await copyText(kind === "command" ? asCommand(wording) : asPython(wording));
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`Copied: ${text.length > 90 ? `${text.slice(0, 90)}…` : text}`);
  } catch {
    notify("This browser does not let the page copy.", "error");
  }
}
