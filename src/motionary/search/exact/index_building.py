"""Building the index of a bank, and keeping it up to date."""

from collections.abc import Callable

from motionary.bank import Bank
from motionary.features import LibraryFeatures, build_features
from motionary.files import locked
from motionary.search.exact.index import Index
from motionary.search.exact.index_store import read, updated


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
    if features.folder is None or features.n_rows == 0:
        return Index(features)
    folder = features.folder / "index"
    found, _ = read(features, folder)
    if found is not None and found.n_rows >= features.n_rows:
        return Index(features, found, message=tell)
    if not features.are_latest():  # others have later ones, and their index there: ours would only be in the way
        return Index(features)
    try:
        with locked(folder):
            if not features.are_latest():  # by now
                return Index(features)
            files, wrong = updated(features, folder)
            if wrong:
                tell(f"the index beside {bank.path} is built anew: {wrong}")
            return Index(features, files, message=tell)
    except OSError as error:
        tell(f"the index cannot be kept in {folder} ({error.strerror}); it is made for this time only")
        return Index(features)
