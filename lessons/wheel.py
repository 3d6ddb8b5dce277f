"""Puts the students' copies of the lessons, made of their sources, into a wheel that is built."""

import importlib
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    """Hatchling's hook, which pyproject.toml names."""

    def initialize(self, version, build_data):
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        lessons = importlib.import_module("workbench._support.system.lessons")
        self.copies = tempfile.TemporaryDirectory()
        for name, notebook in lessons.notebooks(Path(self.root, "lessons"), lessons.student):
            path = Path(self.copies.name, name)
            path.write_bytes(lessons.as_json(notebook))
            build_data["force_include"][str(path)] = f"workbench/_share/lessons/{name}"
