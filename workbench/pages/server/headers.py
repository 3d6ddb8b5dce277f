"""The headers of every response: what a page may load and run, and who may show it in a frame."""

import re
import secrets

from tornado.web import OutputTransform

POLICY = "Content-Security-Policy"
# A page runs its own files, the scripts that stand in it as it is sent, by a nonce, and the modules that
# Panel and Bokeh make from the text of components and of callbacks, which they import as blobs. Panel
# compiles templates of its components, and so needs 'unsafe-eval'. The engine is WebAssembly in a worker made
# of text.
PAGE = (
    "default-src 'none'; script-src 'self' blob: 'unsafe-eval' 'wasm-unsafe-eval' 'nonce-{nonce}'; "
    "worker-src blob:; "
    "style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data: blob:; "
    "connect-src 'self' blob: ws://{host} wss://{host}; {common}"
)
# Files and short answers load nothing.
PLAIN = "default-src 'none'; style-src 'unsafe-inline'; {common}"
COMMON = "base-uri 'none'; form-action 'none'; frame-ancestors 'self'{embedders}"
SCRIPT = re.compile(r"<script\b")


class Headers(OutputTransform):
    """Adds the headers to a response, whichever handler it comes from.

    Parameters
    ----------
    embedders : sequence of str
        Origins whose pages may show these in a frame.
    request : tornado.httputil.HTTPServerRequest
    """

    def __init__(self, embedders, request):
        self.embedders = embedders

    def transform_first_chunk(self, status_code, headers, chunk, finishing):
        common = COMMON.format(embedders="".join(f" {origin}" for origin in self.embedders))
        headers[POLICY] = headers.get(POLICY, PLAIN).replace("{common}", common)
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "same-origin"
        return status_code, headers, chunk


def guarded(page, host):
    """A page whose scripts have a nonce, and its policy, in which `Headers` fills what all have in common.

    Parameters
    ----------
    page : str
        HTML, in which nothing comes from a visitor.
    host : str
        The Host of the request, one of those that are served: 'self' does not mean websockets everywhere.
    """
    nonce = secrets.token_urlsafe(16)
    policy = PAGE.format(nonce=nonce, host=host, common="{common}")
    return SCRIPT.sub(f'<script nonce="{nonce}"', page), policy
