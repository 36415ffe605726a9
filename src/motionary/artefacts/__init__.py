"""The one store of derived data: built by jobs, verified when read, deleted without loss."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.artefacts.store import Artefact, ArtefactStore, Content, Draft, Entry, Job, Kind, rebuilding
    from motionary.artefacts.table import Table
else:
    import_on_use(__name__)

__all__ = ["Artefact", "ArtefactStore", "Content", "Draft", "Entry", "Job", "Kind", "Table", "rebuilding"]
