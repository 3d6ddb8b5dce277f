"""A file as the host of a page: one text of HTML with the module, and answers to its messages.

On a site the runtime and the answers that all pages share are files of their own, so that a visitor of ten
pages loads them once.
"""

import asyncio
import html
import inspect
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from workbench.pages.hosts import blocks
from workbench.pages.wasm import bundle

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
<title>{title}</title>
<style>body {{ margin: 0; }}</style>
</head>
<body>
<div id="page"></div>
{shared}<script>
{scripts}
const facts = {facts};
Object.assign(facts.answers, globalThis.workbenchAnswers);
workbenchRuntime.renderFile(facts, workbenchPage.page);
</script>
</body>
</html>
"""


def key_of(message):
    """Return the key of a message among the answers of a file; as `keyOf` in `runtime/hosts/host.js`."""
    return json.dumps(dict(sorted(message.items())), separators=(",", ":"), ensure_ascii=False)


# What all pages of a site ask for alike.
SHARED = ("bokeh", "engine", "formulas")
RUNTIME, ANSWERS = "runtime.js", "answers.js"


def text_of(page, messages=()):
    """Return the text of the file of a page, which carries the answers to these messages."""
    return _text(page, answers_of(page, messages or page.packed_messages()), page.scripts(), "", "")


def answers_of(page, messages):
    """Return the packed answers to messages by their keys."""
    answers = {key_of(message): page.answer(message) for message in messages}
    return {key: bundle.compressed(blocks.packed(_value(answer))) for key, answer in answers.items()}


def _value(answer):
    """Return an answer, which may be a coroutine; it runs in a thread, since this one may have a loop."""
    if not inspect.iscoroutine(answer):
        return answer
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, answer).result()


def write_site(folder, pages):
    """Write pages and what they share into a folder.

    Parameters
    ----------
    folder : Path
        It exists.
    pages : dict of str to Page
        The page of each file, by the file's stem.
    """
    folder, shared = Path(folder), {}
    for name, page in pages.items():
        messages = page.packed_messages()
        alike = [message for message in messages if message["type"] in SHARED]
        shared |= {key: text for key, text in answers_of(page, alike).items() if key not in shared}
        answers = answers_of(page, [message for message in messages if message not in alike])
        tags = "".join(f'<script src="{file}"></script>\n' for file in (RUNTIME, ANSWERS))
        text = _text(page, answers, page.own_script(), tags, "'self' ")
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
        (folder / RUNTIME).write_text(page.runtime(), encoding="utf-8")
    text = f"globalThis.workbenchAnswers = {json.dumps(shared)};\n"
    (folder / ANSWERS).write_text(text, encoding="utf-8")


def _text(page, answers, scripts, shared, own):
    facts = json.dumps({"settings": page.settings(), "answers": answers}, ensure_ascii=False)
    return PAGE.format(
        policy=POLICY.format(own=own),
        title=html.escape(page.title),
        shared=shared,
        scripts=scripts.replace("</script", "<\\/script"),
        facts=facts.replace("</", "<\\/"),
    )


def number_text(value):
    """Return a number as JavaScript writes it, for the key of a message."""
    return str(value).removesuffix(".0")
