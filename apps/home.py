"""Home, for `panel serve`; `workbench serve` reads the registry and needs no file."""

from workbench.pages import registry, shell

shell.opener(registry.of("home"))()
