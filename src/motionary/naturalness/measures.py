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
MEANINGS = {
    "score": "plant error and ZMP error together",
    "slide_mean": "a planted heel or ball from its first frame to its last",
    "slide_worst": "the same, worst plant",
    "arc_mean": "path length of heel or ball while planted",
    "arc_worst": "the same, worst plant",
    "plant_error": "distance of planted feet from their places",
    "plant_worst": "the same, worst frame",
    "zmp_error": "balance point outside the feet's support, worst frame",
    "zmp_mean": "the same, mean of the frames",
    "lean": "balance to one side of the middle of the feet, on the average",
    "fall_error": "centre of mass in flight, from free fall",
    "momentum_error": "change of the turning in flight, as a share of its unit",
    "jerk": "of all the body's mass, as a multiple of its unit",
    "jerk_worst": "the same, worst frame",
    "n_frames": "frames of the segment",
    "n_planted": "frames of plants, heels and toes one by one",
    "n_without_contact": "frames without balance: nothing stands",
    "n_light": "frames without balance: hardly any weight on the ground",
    "n_flight": "frames of flight",
}
CURVES = ("plant_error", "zmp_x", "zmp_z", "zmp_error", "lean", "fall_error", "momentum_error", "jerk")

SLIDE_MEAN, SLIDE_WORST, ARC_MEAN, ARC_WORST, PLANT_ERROR, PLANT_WORST = range(6)
ZMP_ERROR, ZMP_MEAN, LEAN, FALL_ERROR, MOMENTUM_ERROR, JERK, JERK_WORST = range(6, 13)
N_PLANTED, N_WITHOUT_CONTACT, N_LIGHT, N_FLIGHT = range(13, 17)

PLANT_CURVE, ZMP_X_CURVE, ZMP_Z_CURVE, ZMP_CURVE, LEAN_CURVE, FALL_CURVE, MOMENTUM_CURVE, JERK_CURVE = range(8)
