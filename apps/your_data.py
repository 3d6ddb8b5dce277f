"""Your data, for `panel serve` and notebooks; `workbench serve` reads the registry and needs no file."""

from workbench.pages import registry, shell

shell.opener(registry.of("your-data"))()
