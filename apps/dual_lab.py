"""Dual lab, for `panel serve`; `workbench serve` reads the registry and needs no file."""

from workbench.pages import registry

registry.of("dual-lab").page_type().servable()
