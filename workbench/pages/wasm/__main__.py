"""Build `kernels.wasm` and its table of functions.

python -m workbench.pages.wasm             in some two minutes
python -m workbench.pages.wasm --check     say whether the files are up to date, without a build
python -m workbench.pages.wasm --verify    build, and say whether the files are what the sources give
"""

import json
import sys

from workbench._support.errors import InputError
from workbench.pages.wasm import build, sources

FILES = build.MODULE, build.TABLE
FIX = "run: python -m workbench.pages.wasm"


def main(arguments):
    if "--check" in arguments:
        fresh = all(path.exists() for path in FILES) and _is_fresh()
    else:
        try:
            contents = build.built()
        except InputError as error:
            print(error, file=sys.stderr)
            return 2
        if "--verify" not in arguments:
            for path, content in zip(FILES, contents, strict=True):
                path.write_bytes(content)
        fresh = all(path.exists() for path in FILES) and contents == tuple(p.read_bytes() for p in FILES)
    if not fresh:
        print(f"{build.MODULE} is stale; {FIX}", file=sys.stderr)
    return 0 if fresh else 1


def _is_fresh():
    """Return True if the module is what its sources give; print what it lacks, for which it is not stale."""
    table = json.loads(build.TABLE.read_text(encoding="utf-8"))
    if lacking := sources.lacking(table["formulas"]):
        names = ", ".join(lacking)
        print(f"{build.MODULE} has no code for {names}, which the server computes; {FIX}", file=sys.stderr)
    try:
        return table["digest"] == sources.digest(table["formulas"])
    except LookupError:  # a formula that is no longer there
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
