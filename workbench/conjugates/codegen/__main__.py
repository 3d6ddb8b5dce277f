"""Write the files of `workbench/kernels` that follow from the terms; ``--check`` finds stale ones."""

import sys

from workbench._support.errors import InputError
from workbench.conjugates.codegen import claims, module


def main(arguments):
    """Write or check the generated files; return the exit code."""
    stale = 0
    for generator in (module, claims):
        try:
            text = generator.generate()
        except InputError as error:
            print(f"nothing is written: {error}", file=sys.stderr)
            return 1
        if "--check" not in arguments:
            generator.TARGET.write_text(text, encoding="utf-8")
        elif not generator.TARGET.exists() or generator.TARGET.read_text(encoding="utf-8") != text:
            print(
                f"{generator.TARGET} is stale; run: python -m workbench.conjugates.codegen", file=sys.stderr
            )
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
