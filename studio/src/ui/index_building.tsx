/** How far the index is that searches need first; what was asked for follows by itself. */
import { buildIndex, underWay } from "../state/jobs";
import { JobProgress } from "./job_progress";

export function IndexBuilding() {
  const job = underWay("index");
  if (!job) {
    return (
      <button class="chief" onClick={() => void buildIndex()}>
        Build the index
      </button>
    );
  }
  return (
    <>
      <p>It describes every pose of the bank once. The answer appears here when it is built.</p>
      <JobProgress job={job} />
    </>
  );
}
