"""What all tests share: how Hypothesis draws its examples."""

import os

from hypothesis import HealthCheck, settings

# A compiled kernel's first call is slow and its next is fast, so no example has a deadline. Under CI
# the examples are the same in every run.
SLOW_DATA = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("local", deadline=None, suppress_health_check=SLOW_DATA)
settings.register_profile("ci", deadline=None, suppress_health_check=SLOW_DATA, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
