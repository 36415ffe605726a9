/** The bank that the server serves, and whether the server is there. */
import { signal } from "@preact/signals";

import { ApiError, OfflineError, getJson } from "../api/client";
import type { Bank } from "../api/types";

export type Connection = "starting" | "ready" | "offline" | "refused" | "failed";

export const connection = signal<Connection>("starting");
export const failure = signal<unknown>(null);
export const bank = signal<Bank | null>(null);
/** Counts what changed in the bank, by this page or by others: whatever shows it loads anew. */
export const revision = signal(0);

let retry: ReturnType<typeof setTimeout> | undefined;

export async function loadBank(): Promise<void> {
  clearTimeout(retry);
  try {
    bank.value = await getJson<Bank>("/bank");
    failure.value = null;
    connection.value = "ready";
  } catch (error) {
    lostOr(error);
  }
}

/** Say what an error means for the connection. */
export function lostOr(error: unknown): void {
  if (error instanceof OfflineError) {
    connection.value = "offline";
    clearTimeout(retry);
    retry = setTimeout(() => void loadBank(), 2000);
  } else if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
    connection.value = "refused";
  } else if (bank.value === null) {
    failure.value = error;
    connection.value = "failed";
  }
}

/** The bank has changed. */
export async function changed(): Promise<void> {
  revision.value++;
  await loadBank();
}
