"""The command line: what `workbench --help` lists, a command a file.

Whatever takes time to import is imported inside the commands, so that `--help` answers at once.

Read first: `solve.py`. A command prints; it computes nothing by itself.
"""

import contextlib
import errno
import itertools
import json
import os
import sys
import warnings
from typing import Annotated

import typer
from typer import Option
from typer.core import TyperGroup

from workbench import __version__
from workbench._support.display.options import as_options
from workbench._support.errors import InputError, WorkbenchWarning, explained
from workbench._support.system import signals
from workbench.cli import certify, data, derive, export, lessons, prove, reproduce, serve, solve, verify, warm

MISUSE, FAILURE = 2, 1
# Messages of the loader for a library, and of Python for a thread, that memory is exhausted.
NO_MEMORY = ("failed to map segment", "cannot allocate memory", "can't start new thread")


class Guarded(TyperGroup):
    """A group whose commands end in one sentence and an exit code, never in a traceback.

    Where --json is among the arguments, the sentence stands in an object on standard output as well.
    """

    def invoke(self, ctx):
        signals.begin()
        is_json = "--json" in [*ctx._protected_args, *ctx.args]
        see = None
        try:
            return super().invoke(ctx)
        except InputError as error:
            sentence, code = _in_options(str(error), _options_of(self, ctx)), MISUSE
            see = explained.address(error, ctx.invoked_subcommand)
        except KeyboardInterrupt as error:
            sentence, code = signals.NOTHING, signals.exit_code(error)
        except Exception as error:
            # Usage errors and exits are typer's own, and they know how to show themselves; so does it end
            # quietly where the reader of a pipe has left.
            own = isinstance(error, typer.Abort) or hasattr(error, "exit_code")
            see = explained.address(error, ctx.invoked_subcommand)
            if own or getattr(error, "errno", None) == errno.EPIPE:
                if (
                    hasattr(error, "format_message")
                    and hasattr(error, "show")
                    and hasattr(error, "exit_code")
                ):
                    if is_json:
                        _print_refusal(error.format_message(), see)
                    error.show()
                    _print_address(see)
                    raise typer.Exit(error.exit_code) from None
                raise
            if os.environ.get("WORKBENCH_DEBUG") and not isinstance(error, OSError):
                raise
            sentence, code = _explained(error)
        sentence = " ".join(sentence.split())
        if is_json:
            _print_refusal(sentence.removeprefix("error: "), see)
        print(sentence, file=sys.stderr)
        _print_address(see)
        raise typer.Exit(code)


def _in_options(sentence, options):
    """Return a refusal that names options; a sentence may begin with the argument that it is about."""
    name, colon, _ = sentence.partition(":")
    if colon and isinstance(options.get(name), str):
        sentence = options[name] + sentence.removeprefix(name)
    return as_options(f"error: {sentence}", options)


def _print_refusal(sentence, see=None):
    """Print a refusal as one JSON object; a full disk is told of at the end."""
    with contextlib.suppress(OSError):
        print(json.dumps({"error": sentence} | ({"see": see} if see else {})), flush=True)


def _options_of(group, ctx):
    """Return the options of the called command and of `solve`, by the names of their arguments."""
    commands = [group.commands["solve"], group.commands.get(ctx.invoked_subcommand)]
    mapping = {}
    parameters = (getattr(command, "params", ()) for command in commands)
    for parameter in itertools.chain.from_iterable(parameters):
        if parameter.param_type_name == "option":
            on = parameter.opts[0]
            off = parameter.secondary_opts[0] if parameter.secondary_opts else f"without {on}"
            mapping[parameter.name] = {"True": on, "False": off} if parameter.is_flag else on
    if "fit_intercept" in mapping:
        mapping["bias"] = {
            "True": "--fit-intercept",
            "False": "--no-fit-intercept",
            "constant": "--penalize-intercept",
        }
    if "balanced" in mapping:
        mapping["embed"] = {"balanced": "--balanced", "None": "without --balanced"}
    return mapping


def _explained(error):
    """Return an error as a sentence, and the exit code."""
    text = str(error).lower()
    if isinstance(error, MemoryError) or any(words in text for words in NO_MEMORY):
        sentence = "error: there is not enough memory; raise the limit, or take fewer rows or columns"
        return sentence, MISUSE
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"error: {place}{error.strerror or error}", MISUSE
    sentence = f"internal error: {type(error).__name__}: {error}; set WORKBENCH_DEBUG=1 to see where"
    return sentence, FAILURE


app = typer.Typer(
    cls=Guarded,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def show_version(value: bool):
    """Print the version and stop."""
    if value:
        print(__version__)
        raise typer.Exit()


@app.callback()
def options(
    version: Annotated[
        bool, Option("--version", help="Print the version and stop.", is_eager=True, callback=show_version)
    ] = False,
):
    """The duality of regularized linear learning: solve, certify, explore."""  # noqa: D401, the help


app.command()(solve.solve)
app.command()(solve.predict)
app.command()(certify.certify)
# A formula may begin with a minus, as in -log(u), which is not an option then.
app.command(context_settings={"ignore_unknown_options": True})(derive.derive)
app.command(context_settings={"ignore_unknown_options": True})(prove.prove)
app.command()(prove.check)
app.command()(verify.verify)
app.add_typer(data.app, name="data")
app.command()(serve.serve)
app.command()(export.export)
app.command()(export.site)
# What it does not know is an option of JupyterLab.
app.command(context_settings={"ignore_unknown_options": True})(lessons.lessons)
app.command()(reproduce.reproduce)
app.command()(warm.warm)


def main():
    """Run `workbench`, its entry point."""
    if not sys.warnoptions and not os.environ.get("WORKBENCH_DEBUG"):
        # A warning of Python names a line of code, which tells its user nothing.
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", WorkbenchWarning)
        warnings.showwarning = _show_warning
    try:
        app(prog_name="workbench")
    finally:
        _flush()


def _show_warning(message, *_):
    print(f"warning: {message}", file=sys.stderr, flush=True)
    _print_address(explained.address(message))


def _print_address(see):
    """Print the address that explains a message, if there is one."""
    if see:
        print(f"see {see}", file=sys.stderr, flush=True)


def _flush():
    """Write what the output still holds; where it cannot be written, say so in place of Python."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # Python would try again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno != errno.EPIPE:
            print(f"error: the output cannot be written ({error.strerror})", file=sys.stderr)
            raise SystemExit(MISUSE) from None
