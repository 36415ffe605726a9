from types import SimpleNamespace

import pytest

from motionary.search.match_web.views import ViewMemory


def test_the_views_that_were_used_last_are_remembered_as_far_as_there_is_room():
    made = []

    def view(motion, n_cells=4):
        return memory.view(motion, lambda: made.append(motion) or SimpleNamespace(frames=[motion] * n_cells))

    memory = ViewMemory(10)
    first = view(1)
    for motion in (2, 1, 3, 1):  # the third takes the room of the second, which was used least lately
        assert view(motion).frames[0] == motion
    assert (made, view(1)) == ([1, 2, 3], first)
    for motion in (2, 1, 2, 1):
        view(motion)
    assert made == [1, 2, 3, 2]  # what went left its room


@pytest.mark.parametrize("n_cells", [0, 100])
def test_one_view_is_remembered_however_large(n_cells):
    memory, made = ViewMemory(10), []

    for _ in range(3):
        memory.view(7, lambda: made.append(7) or SimpleNamespace(frames=range(n_cells)))

    assert made == [7]
