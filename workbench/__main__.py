"""The entry point of `workbench` and of `python -m workbench`."""

from workbench import signals


def main():
    """Run the command line, whose imports alone take long enough for a Ctrl-C."""
    signals.install()
    from workbench.cli import main as run

    run()


if __name__ == "__main__":
    main()
