/** How far the index is that searches need first; what was asked for follows by itself. */
import { buildIndex, cancelJob, isOver, jobs } from "../state/jobs";
import { count } from "./format";

export function IndexBuilding() {
  const job = jobs.value.findLast((one) => one.kind === "index");
  if (!job || isOver(job)) {
    return (
      <button class="chief" onClick={() => void buildIndex()}>
        Build the index
      </button>
    );
  }
  return (
    <>
      <p>It describes every pose of the bank once. The answer appears here when it is built.</p>
      <progress aria-label="Index" max={job.total || 1} value={job.total ? job.done : undefined} />
      <p class="faint number">{job.total ? `${job.done.toLocaleString("en")} of ${count(job.total, "clip")}` : "Starting…"}</p>
      <button onClick={() => void cancelJob(job.id)}>Cancel</button>
    </>
  );
}
