"""Which joint of a skeleton is which part of the body."""

from dataclasses import dataclass

from motionary.rig.reference import ARM, LEG, NECK, SIDES, SPINE

LIMB_PARTS = tuple(side + part for side in SIDES for part in ARM + LEG)
PARTS = ("Hips", *SPINE, *NECK, "Head", *LIMB_PARTS)
OPTIONAL = ("Clavicle", "Hand", "Toe")  # of the limbs; the trunk needs a spine joint and a neck or head


@dataclass(frozen=True, eq=False)
class BodyMap:
    """The joints of one skeleton that are parts of a body, by number.

    A skeleton may have any number of spine and neck joints; `spine` and `neck` list them from the hips
    upwards, and `slots` says how they share the reference skeleton's four and two.
    """

    joints: dict[str, int]  # Hips, Head and the limbs' parts, as far as the skeleton has them
    spine: tuple[int, ...]
    neck: tuple[int, ...]

    @property
    def hips(self) -> int:
        return self.joints["Hips"]

    def get(self, part: str) -> int | None:
        """The joint of Hips, Head or a limb's part; None if the skeleton has none."""
        return self.joints.get(part)

    @property
    def slots(self) -> dict[str, tuple[int, ...]]:
        """For every reference part its joints: none, one, or several that share a spine or neck slot."""
        slots: dict[str, tuple[int, ...]]
        slots = {part: (self.joints[part],) if part in self.joints else () for part in PARTS}
        for chain, parts in ((self.spine, SPINE), (self.neck, NECK)):
            if not chain:
                continue
            longer = max(len(chain), len(parts))
            ends = anchors(min(len(chain), len(parts)), longer)
            starts = (-1, *ends[:-1])
            for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
                if len(chain) <= len(parts):
                    slots[parts[end]] = (chain[i],)
                else:
                    slots[parts[i]] = chain[start + 1 : end + 1]
        return {part: slots[part] for part in PARTS}

    @property
    def missing(self) -> tuple[str, ...]:
        """The optional parts of the limbs, and the head, that the skeleton does not have."""
        return tuple(part for part in ("Head", *LIMB_PARTS) if part not in self.joints)


def anchors(n_short: int, n_long: int) -> tuple[int, ...]:
    """Where the joints of a chain stand in a longer one: evenly, in order, the last at its end."""
    return tuple((2 * (i + 1) * n_long + n_short) // (2 * n_short) - 1 for i in range(n_short))
