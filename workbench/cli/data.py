"""`workbench data`: the data sets that the workbench knows by name."""

from typing import Annotated

import typer

from workbench._support.errors import InputError

app = typer.Typer(no_args_is_help=True, help="List, find and fetch data sets.")
Name = Annotated[str, typer.Argument(help="A name that `workbench data list` shows.")]


@app.command("list")
def list_():
    """List every data set, its options and where it lies."""
    from workbench import data

    entries = data.available()
    width = max(len(entry.name) for entry in entries)
    for entry in entries:
        takes = f"  [{', '.join(entry.options)}]" if entry.options else ""
        print(f"{entry.name:<{width}}  {entry.description}{takes}")
        print(f"{'':<{width}}  {entry.where}")


@app.command()
def path(name: Name):
    """Print where the file of a data set lies."""
    from workbench import data

    location = data.locate(name)
    if location is None:
        entry = next(entry for entry in data.available() if entry.name == name)
        if entry.where == "bundled":
            raise InputError(f"{name} is bundled and not a file; use `workbench solve {name}`")
        raise InputError(f"{name} is not here; `workbench data fetch {name}` downloads it or says how")
    print(location)


@app.command()
def fetch(name: Name):
    """Get a data set, read it and print its sizes."""
    from workbench import data

    bundled = {entry.name for entry in data.available() if entry.where == "bundled"}
    if name not in bundled:
        data.fetch(name, progress=True)
    print(data.load(name).summary)
