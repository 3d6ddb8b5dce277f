"""Compare, for `panel serve`; `workbench serve` reads the registry and needs no file."""

from workbench.pages import registry
from workbench.pages.hosts import served

served.opener(registry.of("compare"))()
