"""One hypothesis profile for all tests: first calls compile, so no deadline."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "motionary", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.load_profile("motionary")
