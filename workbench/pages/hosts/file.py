"""A file as the host of a page: one text of HTML with the module, and answers to its messages."""

import html
import json

from workbench.pages.hosts import blocks
from workbench.pages.wasm import bundle

# The browser itself refuses every request; Bokeh makes functions of the scripts that its models bring.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; "
    "worker-src blob:; style-src 'unsafe-inline'; font-src data:; img-src data: blob:; "
    "form-action 'none'; base-uri 'none'"
)
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
</head>
<body>
<div id="page"></div>
<script>
{scripts}
workbenchRuntime.renderFile({facts}, workbenchPage.page);
</script>
</body>
</html>
"""


def key_of(message):
    """Return the key of a message among the answers of a file; as `keyOf` in `runtime/hosts/host.js`."""
    return json.dumps(dict(sorted(message.items())), separators=(",", ":"), ensure_ascii=False)


def text_of(page, messages=()):
    """Return the text of the file of a page, which carries the answers to these messages."""
    messages = messages or page.packed_messages()
    answers = {
        key_of(message): bundle.compressed(blocks.packed(page.answer(message))) for message in messages
    }
    facts = json.dumps({"settings": page.settings(), "answers": answers}, ensure_ascii=False)
    return PAGE.format(
        policy=POLICY,
        title=html.escape(page.title),
        scripts=page.scripts().replace("</script", "<\\/script"),
        facts=facts.replace("</", "<\\/"),
    )


def number_text(value):
    """Return a number as JavaScript writes it, for the key of a message."""
    return str(value).removesuffix(".0")
