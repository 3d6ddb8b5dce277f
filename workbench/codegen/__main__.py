"""Write `workbench/compiled/formulas.py`, or with ``--check`` say whether it is up to date."""

import sys

from workbench.codegen import TARGET, generate


def main(arguments):
    text = generate()
    if "--check" not in arguments:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    print(f"{TARGET} is stale; run: python -m workbench.codegen", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
