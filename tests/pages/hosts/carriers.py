"""Chromium with two probes, in each host: Panel, JupyterLab's own front end, a file from a disk."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

from tests.helpers.page_browser import PATIENCE_MS, free_port, wait_for

ROOT = Path(__file__).parents[3]
READY = "() => globalThis.probes?.length === 2"


@contextlib.contextmanager
def view_of(browser, address, scripts="", **options):
    """A view that asks its own host alone, and has no error of scripts whose addresses hold `scripts`."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, **options)
    view, outside, errors = context.new_page(), [], []
    view.set_default_timeout(PATIENCE_MS)
    origin = address.split("/", 3)[:3] if address.startswith("http") else None
    own = ("data:", "blob:", "/".join(origin) if origin else "file:")
    view.on("request", lambda r: r.url.startswith(own) or outside.append(r.url))
    view.on("websocket", lambda s: s.url.startswith(("ws://localhost",)) or outside.append(s.url))
    view.on("pageerror", lambda error: scripts in (error.stack or "") and errors.append(error.stack))
    yield view, address
    context.close()
    assert outside == []
    assert errors == [], errors


@contextlib.contextmanager
def process(command, url, **env):
    """A server that ends with the block."""
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    with (
        Path(env["LOG"]).open("w") as log,
        subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=os.environ | env | {"PYTHONPATH": paths},
        ) as server,
    ):
        wait_for(url, server)
        try:
            yield
        finally:
            server.terminate()


@contextlib.contextmanager
def panel(browser, folder, module="tests.pages.hosts.probe", path="probe", ready=READY):
    port = free_port()
    url = f"http://localhost:{port}/{path}"
    command = [sys.executable, "-m", module, str(port)]
    with process(command, url, LOG=str(folder / "panel.log")), view_of(browser, url) as (view, address):
        view.goto(address)
        view.wait_for_function(ready)
        yield view


CELL = "from tests.pages.hosts.probe import Probe\ndisplay(Probe(), Probe(lam=0.25))"


@contextlib.contextmanager
def notebook(browser, folder, cell=CELL, ready=READY):
    """JupyterLab with a notebook of one cell, which is run by the front end's own command."""
    import nbformat

    port = free_port()
    folder = folder / "lab"
    folder.mkdir()
    # Without the kernel's name the front end would ask for one.
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)], metadata=metadata)
    nbformat.write(book, folder / "page.ipynb")
    home = {name: str(folder / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")}
    options = {
        "ServerApp.port": port,
        "ServerApp.root_dir": folder,
        "IdentityProvider.token": "",
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        "LabApp.extension_manager": "readonly",
        "LabApp.expose_app_in_browser": True,
    }
    command = [Path(sys.executable).with_name("jupyter"), "lab", "--no-browser", "--allow-root"]
    command += [f"--{name}={value}" for name, value in options.items()]
    url = f"http://localhost:{port}/lab"
    with (
        process(command, url, LOG=str(folder / "lab.log"), **home),
        # Modules of widgets have addresses of blobs; JupyterLab has errors of its own when it is left.
        view_of(browser, f"{url}/tree/page.ipynb", "blob:") as (view, address),
    ):
        view.goto(address)
        view.locator(".jp-Notebook").wait_for()
        # A cell that is run before the kernel is there brings up a question.
        view.wait_for_function("() => jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel")
        view.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells'); }")
        view.wait_for_function(ready)
        yield view


@contextlib.contextmanager
def file(browser, folder, text=None, ready=READY):
    """A file from the disk with the network off; a second probe stands in the same document."""
    from tests.pages.hosts.probe import PACKED, Probe

    if text is None:
        second = json.dumps(Probe(lam=0.25).settings())
        more = (
            "<div id='second'></div><script>workbenchRuntime.render({ model: "
            f"workbenchRuntime.settingsModel({second}), el: document.getElementById('second') }}, "
            "workbenchPage.page);</script></body>"
        )
        text = Probe().html(PACKED).replace("</body>", more)
    path = folder / "page.html"
    path.write_text(text, encoding="utf-8")
    with view_of(browser, path.as_uri(), offline=True) as (view, address):
        view.goto(address)
        view.wait_for_function(ready)
        yield view


HOSTS = {"panel": panel, "notebook": notebook, "file": file}
# Those where Python answers.
LIVE = ("panel", "notebook")
