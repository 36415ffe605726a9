"""How far off a number can be after one operation, as a share of it."""

SINGLE = 2.0**-24
DOUBLE = 2.0**-53
