/** How far the job is that a view waits for, and a way to end it. */
import type { Job } from "../api/types";
import { cancelJob, jobs, titleOf } from "../state/jobs";

export function JobProgress({ job }: { job: Job }) {
  const before = job.state === "waiting" ? jobs.value.find((other) => other.state === "running") : undefined;
  const message = job.messages.at(-1);
  return (
    <>
      <progress aria-label={titleOf(job)} max={job.total || 1} value={job.total ? job.done : undefined} />
      <p class="faint number">
        {before
          ? `Waits for another job: ${titleOf(before)}`
          : job.total
            ? `${job.done.toLocaleString("en")} of ${job.total.toLocaleString("en")}${message ? `: ${message}` : ""}`
            : (message ?? (job.state === "waiting" ? "Starting…" : "Working…"))}
      </p>
      <button onClick={() => void cancelJob(job.id)}>Cancel</button>
    </>
  );
}
