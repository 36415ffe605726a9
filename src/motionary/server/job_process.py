"""The child process of a job: reads what to do from its input, and reports on its output, one JSON object a line."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from motionary.bank import Bank
from motionary.errors import UserError
from motionary.files import json_value
from motionary.requests import Progress
from motionary.server.job_kinds import KINDS

REPORT_SECS = 0.1  # between reports of progress


def main() -> int:
    """Do one job; 0 if it was done."""
    ask = json.load(sys.stdin)
    reports = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever prints meanwhile prints to the terminal

    def report(facts: dict[str, Any]) -> None:
        reports.write(json.dumps(json_value(facts), ensure_ascii=False) + "\n")
        reports.flush()

    told = 0.0

    def step(done: int, total: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= REPORT_SECS or done == total:
            told = now
            report({"progress": [done, total]})

    try:
        with Bank.open(Path(ask["bank"])) as bank:
            progress = Progress(step, lambda text: report({"message": text}))
            answer = KINDS[ask["kind"]].answer(bank, dict(ask["arguments"]), progress)
    except UserError as error:
        report({"error": str(error)})
        return 1
    except (TypeError, ValueError) as error:  # what the function has not expected; shown, with its traceback
        report({"error": f"an argument is not what it should be: {error}"})
        raise
    except KeyboardInterrupt:
        return 130
    report({"result": answer})
    return 0


if __name__ == "__main__":
    sys.exit(main())
