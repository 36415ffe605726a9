/** Long work: how far it is, and a way to end it. */
import { cancelJob, forgetEnded, isOver, jobs, titleOf } from "../state/jobs";

export default function Jobs() {
  const all = jobs.value;
  if (!all.length) return null;
  const lastDone = all.findLast((job) => job.state === "done");
  const shown = all.filter((job) => job.state !== "done" || job === lastDone); // whatever went well before is of no more use
  return (
    <section class="section" aria-label="Jobs">
      <div class="row">
        <h2 class="grow">Jobs</h2>
        {all.some(isOver) && (
          <button class="bare small" onClick={forgetEnded}>
            Clear ended
          </button>
        )}
      </div>
      {shown.map((job) => (
        <div key={job.id} class="column small" data-job={job.kind} data-state={job.state}>
          <div class="row">
            <span class="grow clipped">
              {titleOf(job)} <span class="faint">{job.state}</span>
            </span>
            {!isOver(job) && (
              <button class="small" onClick={() => void cancelJob(job.id)} aria-label={`Cancel ${titleOf(job)}`}>
                Cancel
              </button>
            )}
          </div>
          {!isOver(job) && <progress aria-label={titleOf(job)} max={job.total || 1} value={job.total ? job.done : undefined} />}
          {job.error && <p style={{ color: "var(--reject)" }}>{job.error}</p>}
          {job.messages.slice(-2).map((message) => (
            <p key={message} class="faint">
              {message}
            </p>
          ))}
        </div>
      ))}
    </section>
  );
}
