"""Weight and balance: masses of body parts, centre of mass, zero-moment point, flight."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.dynamics.averages import AVERAGES, BODY_PARTS, PartMass, part_masses, read_part_masses
    from motionary.dynamics.balance import LIGHT, Balance, balance
    from motionary.dynamics.centre import (
        angular_momentum,
        centre_acceleration,
        centre_of_mass,
        centre_velocity,
        kinetic_energy,
    )
    from motionary.dynamics.derivatives import Derivative, derivative, smoothed_derivative, weigh_frames
    from motionary.dynamics.fitting import WITHIN, Evidence, FittedMasses, evidence, fit_masses
    from motionary.dynamics.flight import CLEARANCE, SHORTEST, Flights, below_joints, flights
    from motionary.dynamics.masses import Masses, body_masses
    from motionary.dynamics.support import (
        HALF_WIDTH,
        POINT_OF,
        TOUCHING,
        Soles,
        Support,
        checked_contacts,
        nearest_in_hull,
        support,
        touch_ground,
        touching,
    )
    from motionary.dynamics.weights import (
        displaced_mass,
        friction_weights,
        outward_mass,
        support_weights,
        supporting_parts,
    )
else:
    import_on_use(__name__)

__all__ = [
    "AVERAGES",
    "BODY_PARTS",
    "CLEARANCE",
    "HALF_WIDTH",
    "LIGHT",
    "POINT_OF",
    "SHORTEST",
    "TOUCHING",
    "WITHIN",
    "Balance",
    "Derivative",
    "Evidence",
    "FittedMasses",
    "Flights",
    "Masses",
    "PartMass",
    "Soles",
    "Support",
    "angular_momentum",
    "balance",
    "below_joints",
    "body_masses",
    "centre_acceleration",
    "centre_of_mass",
    "centre_velocity",
    "checked_contacts",
    "derivative",
    "displaced_mass",
    "evidence",
    "fit_masses",
    "flights",
    "friction_weights",
    "kinetic_energy",
    "nearest_in_hull",
    "outward_mass",
    "part_masses",
    "read_part_masses",
    "smoothed_derivative",
    "support",
    "support_weights",
    "supporting_parts",
    "touch_ground",
    "touching",
    "weigh_frames",
]
