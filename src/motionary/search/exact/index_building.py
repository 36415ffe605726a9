"""Building the index of a bank, and keeping it up to date."""

from collections.abc import Callable, Collection

from motionary.artefacts import ArtefactStore
from motionary.bank import Bank
from motionary.library import LibraryFeatures, build_features, with_learned
from motionary.search.exact.index import Index
from motionary.search.exact.index_store import KIND, found, updated

LEARNED = "learned"


def index_for(
    bank: Bank,
    index: Index,
    names: Collection[str],
    *,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> Index:
    """The index with all descriptions that are called so: what is learned from the library only if it is asked for."""
    if LEARNED not in names:
        return index
    return index.with_learned(lambda: with_learned(bank, index.features, progress=progress, message=message))


def build_index(
    bank: Bank,
    *,
    features: LibraryFeatures | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> Index:
    """The index of a bank as it is now; what is kept beside the bank is brought up to date, and no more.

    Features are built if they are not given; `progress` is told of their clips, `message` of whatever was damaged
    and made anew. Where nothing can be written, the index is made for this time only.
    """
    tell = message or (lambda _: None)
    if features is None:
        features = build_features(bank, progress=progress, message=message)
    if not features.is_kept or features.n_rows == 0:
        return Index(features)
    store = ArtefactStore.of(bank, message=message)
    files = found(features, store)
    if files is None:
        assert features.artefact is not None
        if not store.is_current(features.artefact):
            return Index(features)  # others have later features, and their index: ours would only be in the way
        try:
            with store.writing(KIND, f"{features.rate_hz:g}hz") as draft:
                if not store.is_current(features.artefact):  # by now
                    return Index(features)
                files = updated(features, draft)
        except OSError as error:
            tell(f"the index cannot be kept beside {bank.path} ({error.strerror}); it is made for this time only")
            return Index(features)
    return Index(features, files, message=tell)
