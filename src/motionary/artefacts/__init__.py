"""The one store of derived data: built by jobs, verified when read, deleted without loss."""

from motionary.artefacts.store import Artefact, ArtefactStore, Content, Draft, Entry, Job, Kind, rebuilding
from motionary.artefacts.table import Table

__all__ = ["Artefact", "ArtefactStore", "Content", "Draft", "Entry", "Job", "Kind", "Table", "rebuilding"]
