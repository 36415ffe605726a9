"""Reading a bank in one state, and derived data that are whole."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial, wraps
from typing import Any, TypeVar, cast

from motionary.artefacts import rebuilding
from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.library.features import LibraryFeatures

OfBank = TypeVar("OfBank", bound=Callable[..., Any])


def undamaged(function: OfBank) -> OfBank:
    """A function that may meet derived data that are damaged: its `message` is told, and it is called again, which
    builds them again."""

    @wraps(function)
    def wrapper(*arguments: Any, **options: Any) -> Any:
        return rebuilding(partial(function, *arguments, **options), message=options.get("message"))

    return cast(OfBank, wrapper)


def one_snapshot(function: OfBank) -> OfBank:
    """A function of a bank (its first argument) that reads one state of it, whatever other processes change meanwhile;
    and one that never reads damaged data."""
    whole = undamaged(function)

    @wraps(function)
    def wrapper(*arguments: Any, **options: Any) -> Any:
        bank = arguments[0] if arguments else options.get("bank")
        with bank.snapshot() if isinstance(bank, Bank) else nullcontext():
            return whole(*arguments, **options)

    return cast(OfBank, wrapper)


def check_features(bank: Bank, features: LibraryFeatures, *, called: str, remedy: str) -> None:
    """Raise unless the features are those of all clips of the bank as they are now."""
    if bank.state in features.agreed:
        return
    there = {clip_id: digest for clip_id, (digest, _) in bank.source_digests().items()}
    known = dict(zip(features.clip_ids.tolist(), features.digests, strict=True))
    left_out = {left.clip_id for left in features.left_out}
    if any(there.get(clip_id) != digest for clip_id, digest in known.items()) or there.keys() - known.keys() - left_out:
        raise UsageError(
            f"{called} does not match the current state of {bank.path}: it was built from another bank, or clips "
            "were added, "
            f"changed or removed since. Build it again: {remedy}"
        )
    features.agreed.clear()
    features.agreed.add(bank.state)
