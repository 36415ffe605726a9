/** The page starts here. */
import { render } from "preact";

import { takeToken } from "./api/client";
import { listenToKeys } from "./keys";
import { Shell } from "./panels/shell";
import { loadBank } from "./state/bank";

takeToken();
void loadBank();
listenToKeys();
render(<Shell />, document.getElementById("studio")!);
