"""A file as the host of a page: one text of HTML with the module, and answers to its messages.

On a site the runtime and the answers that all pages share are files of their own, so that a visitor of ten
pages loads them once.
"""

import asyncio
import html
import inspect
import json
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from workbench.pages.hosts import blocks
from workbench.pages.wasm import bundle

# JavaScript writes numbers between these without an exponent.
LEAST_DECIMAL, MOST_DECIMAL = 1e-6, 1e21
# The browser itself refuses every request; Bokeh makes functions of the scripts that its models bring.
POLICY = (
    "default-src 'none'; script-src {own}'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; "
    "worker-src blob:; style-src 'unsafe-inline'; font-src data:; img-src data: blob:; "
    "form-action 'none'; base-uri 'none'"
)
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Duality Workbench</title>
{head}<style>body {{ margin: 0; }}</style>
</head>
<body>
{above}<div id="page" tabindex="-1"></div>
{below}{shared}<script>
{begin}{scripts}
const facts = {facts};
Object.assign(facts.answers, globalThis.workbenchAnswers);
workbenchRuntime.renderFile(facts, workbenchPage.page);
</script>
</body>
</html>
"""


def key_of(message):
    """Return the key of a message among the answers of a file; as `keyOf` in `runtime/hosts/host.js`."""
    entries = (f"{_text_of(name)}:{_text_of(value)}" for name, value in sorted(message.items()))
    return f"{{{','.join(entries)}}}"


def _text_of(value):
    """Return a value as JSON.stringify writes it; Python writes other numbers than 0.00001 and 1."""
    if not isinstance(value, float) or not math.isfinite(value):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    if value == 0.0 or LEAST_DECIMAL <= abs(value) < MOST_DECIMAL:
        return np.format_float_positional(value + 0.0, trim="-")
    return repr(value).replace("e-0", "e-").replace(".0e", "e")


# What all pages of a site ask for alike.
SHARED = ("bokeh", "engine", "formulas")
RUNTIME, ANSWERS = "runtime.js", "answers.js"


def text_of(page, messages=(), query="", head=""):
    """Return the text of the file of a page.

    Parameters
    ----------
    page : Page
    messages : sequence of dict
        Those whose answers it carries; by default the page's `packed_messages`.
    query : str
        What the address says where it says nothing.
    head : str
        HTML for the head.
    """
    answers = answers_of(page, messages or page.packed_messages())
    return _text(page, answers, page.scripts(), query, head)


def answers_of(page, messages):
    """Return the packed answers to messages by their keys."""
    answers = {key_of(message): _value(page.packed_answer(message)) for message in messages}
    return {key: bundle.compressed(blocks.packed(answer)) for key, answer in answers.items()}


def _value(answer):
    """Return an answer, which may be a coroutine; it runs in a thread, since this one may have a loop."""
    if not inspect.iscoroutine(answer):
        return answer
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, answer).result()


def site_texts(pages, query="", heads=None, headers=None, footers=None):
    """Return the texts of the files of pages of a site, and of what they share, by the files' names.

    Parameters
    ----------
    pages : dict of str to Page
        The page of each file, by the file's stem.
    query : str
        What the address of each says where it says nothing.
    heads, headers, footers : dict of str to str, optional
        HTML for the head, and what stands above and below the page, by the file's stem.
    """
    texts, shared, tags = {}, {}, "".join(f'<script src="{file}"></script>\n' for file in (RUNTIME, ANSWERS))
    for name, page in pages.items():
        messages = page.packed_messages()
        alike = [message for message in messages if message["type"] in SHARED]
        shared |= answers_of(page, [message for message in alike if key_of(message) not in shared])
        answers = answers_of(page, [message for message in messages if message not in alike])
        head, above, below = ((parts or {}).get(name, "") for parts in (heads, headers, footers))
        texts[f"{name}.html"] = _text(page, answers, page.own_script(), query, head, above, below, tags)
        texts[RUNTIME] = page.runtime()
    return texts | {ANSWERS: f"globalThis.workbenchAnswers = {json.dumps(shared)};\n"}


def _text(page, answers, scripts, query, head, above="", below="", shared=""):
    facts = json.dumps({"settings": page.settings(), "answers": answers}, ensure_ascii=False)
    begin = (
        f"if (!location.hash) history.replaceState(null, '', location.search + {json.dumps('#' + query)});"
    )
    return PAGE.format(
        policy=POLICY.format(own="'self' " if shared else ""),
        title=html.escape(page.title),
        head=head,
        above=above,
        below=below,
        shared=shared,
        begin=f"{begin}\n" if query else "",
        scripts=scripts.replace("</script", "<\\/script"),
        facts=facts.replace("</", "<\\/"),
    )
