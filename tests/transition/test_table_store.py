from pathlib import Path

import numpy as np
import pytest

from motionary.artefacts import ArtefactStore
from motionary.artefacts.table import damaged_ids
from motionary.errors import UsageError
from motionary.transition.clusters import ClusterOptions
from motionary.transition.table_store import Wanted, facts_of_tables, find_table, keep_table, pool_with
from transition.pools import small_sources

WANTED = Wanted([(1, "ada_001", "digest")], lambda: small_sources(n_clips=1, secs=4.0))
OPTIONS = ClusterOptions(n_clusters=2)


@pytest.mark.parametrize("damaged", ["transition-table/*/distances.*", "transition-pool/*/turns.*"])
def test_damaged_tables_are_told_and_built_again(tmp_path: Path, damaged: str) -> None:
    told: list[str] = []
    store = ArtefactStore(tmp_path)
    _, table = keep_table(store, WANTED, secs=0.5, options=OPTIONS)
    (path,) = tmp_path.glob(damaged)
    flip_a_bit(path)

    with pytest.raises(
        UsageError, match=r"is damaged; `motionary transition table build a.bank --secs 0.5 -k 2` builds"
    ):
        find_table(store, 0.5, digests={1: "digest"}, bank_path="a.bank")
    damaged_ids.clear()  # as in another process
    facts_of_tables(store, message=told.append)
    assert any("is left out" in one for one in told) == ("table" in damaged)
    damaged_ids.clear()
    assert pool_with(store, WANTED).names == ("ada_001",)

    damaged_ids.clear()
    _, again = keep_table(store, WANTED, secs=0.5, options=OPTIONS, message=told.append)

    assert any("does not match its checksum" in one for one in told)
    assert np.array_equal(again.scores, table.scores)
    assert find_table(store, 0.5, digests={1: "digest"}, bank_path="a.bank")[1].complete


def flip_a_bit(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 16
    path.write_bytes(data)
