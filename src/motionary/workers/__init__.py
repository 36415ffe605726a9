"""Work in several processes, that can be interrupted and killed at any moment, and in threads."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.workers.interrupts import held_back_interrupts
    from motionary.workers.mapping import WorkerDiedError, map_in_order, n_cores
    from motionary.workers.threads import in_threads
else:
    import_on_use(__name__)

__all__ = ["WorkerDiedError", "held_back_interrupts", "in_threads", "map_in_order", "n_cores"]
