/** The page starts here. */
import { render } from "preact";

import { takeToken } from "./api/client";
import { listenToKeys } from "./keys";
import { Shell } from "./panels/shell";
import { loadBank } from "./state/bank";
import { startListening } from "./state/events";
import { loadJobs } from "./state/jobs";

takeToken();
void loadBank().then(() => {
  startListening();
  return loadJobs();
});
addEventListener("hashchange", () => {
  if (takeToken()) location.reload(); // the server was started again, and its new address came into this tab
});
listenToKeys();
render(<Shell />, document.getElementById("studio")!);
