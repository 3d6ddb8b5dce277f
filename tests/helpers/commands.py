"""The command line, called in this process."""

from typer.testing import CliRunner

from workbench.cli import app


def invoke(*arguments):
    """Run a command; return its exit code, output and errors."""
    return CliRunner().invoke(app, list(map(str, arguments)))
