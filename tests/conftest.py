"""What all tests share: how Hypothesis draws its examples, and the pages that a file of tests visits."""

import os

import pytest
from hypothesis import HealthCheck, settings

# What the pages' tests share asserts too, and should say what it found.
pytest.register_assert_rewrite("page_browser", "stub_server")
# A compiled kernel's first call is slow and its next is fast, so no example has a deadline. Under CI
# the examples are the same in every run.
SLOW_DATA = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("local", deadline=None, suppress_health_check=SLOW_DATA)
settings.register_profile("ci", deadline=None, suppress_health_check=SLOW_DATA, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="module")
def address(request):
    """The address of the first of the test file's `PAGES`, on a server of their own with its `OPTIONS`."""
    from page_browser import served

    with served(*request.module.PAGES, options=getattr(request.module, "OPTIONS", ())) as url:
        yield url


@pytest.fixture(scope="module")
def browser(address):
    """A Chromium for the test file; asked for after the server, which says why there is none."""
    from page_browser import chromium

    with chromium() as found:
        yield found
