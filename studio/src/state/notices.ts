/** Short notices at the bottom of the page: what was done, what failed. */
import { signal } from "@preact/signals";

import { ApiError, OfflineError, inWords } from "../api/client";

export interface Notice {
  id: number;
  kind: "done" | "error";
  text: string;
  change?: number; // of the bank, which can be taken back
}

export const notices = signal<Notice[]>([]);
let next = 1;

export function notify(text: string, kind: Notice["kind"] = "done", change?: number): void {
  const notice: Notice = { id: next++, kind, text, ...(change === undefined ? {} : { change }) };
  notices.value = [...notices.value.slice(-2), notice];
  setTimeout(() => dismiss(notice.id), kind === "error" ? 12000 : 4000);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** Report an error of something that was asked for; an aborted request is none. */
export function report(error: unknown): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (error instanceof ApiError && error.status === 401) return; // the page says it as a whole
  if (error instanceof OfflineError) return;
  notify(inWords(error), "error");
}
