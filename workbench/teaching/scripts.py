"""The scripts of Bokeh and Panel in a notebook, packed: what `hv.extension` leaves in an output is 6 MB.

IPython and Panel are imported inside the functions, since checkers run without them.
"""

import base64
import gzip
import re
import sys
from unittest import mock

# How the scripts begin that no lesson needs: WebGL, tables, and the loading of modules in old browsers.
SPARED = re.compile(r"BEGIN bokeh-(gl|tables)|es-module-shims")
# Panel's tables, which no lesson draws either, derive from this one class.
TABLES = """
Bokeh.register_plugin({"no-tables": (require, module, exports) => { exports.TableColumn = class {}; }},
  "no-tables", {"models/widgets/tables/index": "no-tables"});
"""
# A script as long as this is worth packing.
LONG = 10_000
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
# Base 85, as `base64.b85encode` has it, needs no escape within quotes, and a tenth less than base 64.
UNPACK = """\
(function () {
  const text = "%(packed)s", letters = "%(alphabet)s";
  const bytes = new Uint8Array(text.length / 5 * 4);
  for (let i = 0, j = 0; i < text.length; j += 4) {
    let word = 0;
    for (let k = 0; k < 5; k++) word = word * 85 + letters.indexOf(text[i++]);
    for (let k = 0; k < 4; k++) bytes[j + k] = word / 2 ** (24 - 8 * k) %% 256;
  }
  const stream = new Blob([bytes.slice(0, %(length)d)]).stream().pipeThrough(new DecompressionStream("gzip"));
  new Response(stream).text().then((script) => (0, eval)(script));
})();
"""


def packed(script):
    """A script that unpacks and runs a longer one."""
    # Without the time, the same script is packed to the same text.
    squeezed = gzip.compress(script.encode(), mtime=0)
    text = base64.b85encode(squeezed, pad=True).decode()
    return UNPACK % {"packed": text, "alphabet": ALPHABET, "length": len(squeezed)}


def squeezed(markup):
    """HTML with its long scripts packed; those of a view hold the same style sheets over and over."""
    return re.sub(r"(<script[^>]*>)(.*?)(</script>)", _short, markup, flags=re.DOTALL)


def _short(match):
    before, script, after = match.groups()
    return f"{before}{packed(script) if len(script) > LONG else script}{after}"


def _import_nbformat():
    """HoloViews needs it, which needs jsonschema, which compiles a grammar of web addresses for a second."""
    grammar = "rfc3987_syntax"
    if grammar in sys.modules:
        return
    # As if it were not installed: then jsonschema does without.
    sys.modules[grammar] = None
    try:
        import nbformat  # noqa: F401
    finally:
        del sys.modules[grammar]


def load():
    """Load HoloViews and Panel for Bokeh in this notebook: no network is needed, and little of the file."""
    _import_nbformat()
    import holoviews as hv
    import panel as pn
    from IPython.display import publish_display_data
    from IPython.utils.capture import capture_output
    from panel.io import notebook

    # Style sheets, too, go into each output in place of addresses.
    pn.config.inline = True
    # It would ask the browser for its size and its language, in an output of its own.
    pn.config.browser_info = False
    every = notebook.bundle_resources

    def needed(*arguments, **more):
        bundle = every(*arguments, **more)
        scripts = [script for script in bundle.js_raw if not SPARED.search(script[:500])]
        bundle.js_raw = [scripts[0], TABLES, *scripts[1:]]
        return bundle

    with capture_output() as captured, mock.patch.object(notebook, "bundle_resources", needed):
        hv.extension("bokeh", inline=True, logo=False)
    for output in captured.outputs:
        script = output.data.get("application/javascript", "")
        if len(script) > LONG:
            # One copy: wherever JupyterLab's extension of HoloViews is, plain scripts run as well.
            publish_display_data({"application/javascript": packed(script)})
        else:
            publish_display_data({"application/javascript": script} if script else output.data)
