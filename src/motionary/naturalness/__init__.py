"""How natural a motion is: feet that stand, weight that is carried, movement that is smooth."""

__all__: list[str] = []
