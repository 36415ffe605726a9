"""What is measured of a motion, by name for people and by number for kernels."""

MEASURES = (
    "slide_mean",
    "slide_worst",
    "arc_mean",
    "arc_worst",
    "plant_error",
    "plant_worst",
    "zmp_error",
    "zmp_mean",
    "lean",
    "fall_error",
    "momentum_error",
    "jerk",
    "jerk_worst",
    "n_planted",
    "n_without_contact",
    "n_light",
    "n_flight",
)
CURVES = ("plant_error", "zmp_x", "zmp_z", "zmp_error", "lean", "fall_error", "momentum_error", "jerk")

SLIDE_MEAN, SLIDE_WORST, ARC_MEAN, ARC_WORST, PLANT_ERROR, PLANT_WORST = range(6)
ZMP_ERROR, ZMP_MEAN, LEAN, FALL_ERROR, MOMENTUM_ERROR, JERK, JERK_WORST = range(6, 13)
N_PLANTED, N_WITHOUT_CONTACT, N_LIGHT, N_FLIGHT = range(13, 17)

PLANT_CURVE, ZMP_X_CURVE, ZMP_Z_CURVE, ZMP_CURVE, LEAN_CURVE, FALL_CURVE, MOMENTUM_CURVE, JERK_CURVE = range(8)
