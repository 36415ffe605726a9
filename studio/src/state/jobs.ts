/** Long work of the server: what runs, how far it is, and how it ended. */
import { effect, signal } from "@preact/signals";

import { deleteJson, getJson, postJson } from "../api/client";
import type { Job } from "../api/types";
import { record } from "../commands/history";
import { changed } from "./bank";
import { notify, report } from "./notices";

export const jobs = signal<readonly Job[]>([]);
const waiting = new Map<string, (job: Job) => void>();

/** What the page calls each kind of job. */
const TITLES: Record<string, string> = {
  index: "Index",
  web: "Match web",
  graph: "Motion graph",
  table: "Table of transitions",
  spread: "Spread labels",
  parametric: "Parametric motion",
  motifs: "Motifs",
  surprises: "Surprises",
  import: "Import",
};

export function titleOf(job: Job): string {
  return TITLES[job.kind] ?? job.kind;
}

/** The job of this kind that waits or runs, whoever started it. */
export function underWay(kind: string): Job | undefined {
  return jobs.value.findLast((job) => job.kind === kind && !isOver(job));
}

export function isOver(job: Job): boolean {
  return !["waiting", "running"].includes(job.state);
}

/** An event, or the answer to a call, tells of a job. */
export function jobTold(job: Job): void {
  const known = jobs.value.find((other) => other.id === job.id);
  if (known && isOver(known)) return;
  jobs.value = known ? jobs.value.map((other) => (other.id === job.id ? job : other)) : [...jobs.value, job];
  if (!isOver(job)) return;
  if (job.state === "failed") notify(`${titleOf(job)}: ${job.error ?? "failed"}`, "error");
  const told = waiting.get(job.id);
  waiting.delete(job.id);
  void changed();
  told?.(job);
}

export async function loadJobs(): Promise<void> {
  try {
    const answer = await getJson<{ jobs: Job[] }>("/jobs");
    answer.jobs.forEach(jobTold);
  } catch (error) {
    report(error);
  }
}

/** Wait for a job that was started; its result, or null if it failed or was cancelled. */
export async function resultOf<T>(started: Job): Promise<T | null> {
  const over = new Promise<Job>((resolve) => waiting.set(started.id, resolve));
  jobTold(started);
  const job = await over;
  if (job.state !== "done") return null;
  const { result } = await getJson<Job & { result: T }>(`/jobs/${job.id}`);
  record(job.kind, (result as { change?: number | null } | null)?.change ?? null);
  return result;
}

export async function startJob<T>(kind: string, args: object): Promise<T | null> {
  try {
    return await resultOf<T>(await postJson<Job>("/jobs", { kind, arguments: args }));
  } catch (error) {
    report(error);
    return null;
  }
}

/** Start a job whose result `followResult` brings. */
export async function beginJob(kind: string, args: object): Promise<void> {
  try {
    jobTold(await postJson<Job>("/jobs", { kind, arguments: args }));
  } catch (error) {
    report(error);
  }
}

/** Take the result of each job of this kind that is done, also of one that was started before this page was loaded. */
export function followResult<T>(kind: string, take: (result: T) => void): void {
  let taken = "";
  effect(() => {
    const done = jobs.value.findLast((job) => job.kind === kind && job.state === "done");
    if (!done || done.id === taken) return;
    taken = done.id;
    getJson<Job & { result: T }>(`/jobs/${done.id}`).then(({ result }) => take(result), report);
  });
}

export async function cancelJob(id: string): Promise<void> {
  try {
    jobTold(await deleteJson<Job>(`/jobs/${id}`));
  } catch (error) {
    report(error);
  }
}

export function forgetEnded(): void {
  jobs.value = jobs.value.filter((job) => !isOver(job));
}

/** Build the index; the bank then says that it has changed, and whatever waits for it asks again. */
export async function buildIndex(): Promise<void> {
  if (!underWay("index")) await startJob("index", {});
}

/** Build the index, unless somebody has cancelled that: then they begin it again themselves. */
export function buildIndexOnce(): void {
  const last = jobs.peek().findLast((job) => job.kind === "index");
  if (!last || last.state === "done") void buildIndex();
}
