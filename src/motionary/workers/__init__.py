"""Work in several processes, that can be interrupted and killed at any moment."""

from motionary.workers.interrupts import held_back_interrupts
from motionary.workers.mapping import WorkerDiedError, map_in_order, n_cores

__all__ = ["WorkerDiedError", "held_back_interrupts", "map_in_order", "n_cores"]
