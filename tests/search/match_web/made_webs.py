"""Small banks of the sample library."""

from motionary.bank import Bank
from motionary.sample import sample_into


def small_bank(path, *, minutes=0.6, seed=3) -> Bank:
    bank = Bank.open(path, create=True)
    sample_into(bank, minutes=minutes, seed=seed)
    return bank
