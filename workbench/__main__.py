"""The entry point of `workbench` and of `python -m workbench`."""

import sys

from workbench._support.errors import MissingExtraError
from workbench._support.system import extras, signals

# What the imports and a small solve take, in bytes of address space. With less, BLAS hangs or ends the
# process while it is loaded, where no exception can tell why.
ADDRESS_SPACE = 700 * 10**6


def main():
    """Run the command line, whose imports alone take long enough for a Ctrl-C."""
    signals.install()
    _check_address_space()
    try:
        extras.need("cli", "the command line")
    except MissingExtraError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    from workbench.cli import main as run

    run()


def _check_address_space():
    try:
        import resource
    except ImportError:  # no such limits on Windows
        return
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY and limit < ADDRESS_SPACE:
        print(
            f"error: this process may use {limit // 10**6} MB of address space (ulimit -v), and the "
            f"workbench needs {ADDRESS_SPACE // 10**6} MB: raise the limit",
            file=sys.stderr,
        )
        sys.exit(2)


if __name__ == "__main__":
    main()
