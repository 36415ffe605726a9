"""How long work tells its caller how far it is."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """Where progress and remarks go: `step(done, total)` and `message(text)`, either of which may be missing."""

    step: Callable[[int, int], None] | None = None
    message: Callable[[str], None] | None = None

    def say(self, text: str) -> None:
        """Pass on a remark."""
        if self.message is not None:
            self.message(text)
