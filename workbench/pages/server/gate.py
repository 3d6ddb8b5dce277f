"""Admission: pages and their embedded form, each of which takes a place."""

import html
import ipaddress
import json
import time
from collections import Counter

from bokeh.util.token import generate_jwt_token, generate_session_id, get_session_id
from panel.io.resources import LOCAL_DIST, Resources, patch_model_css
from panel.io.server import AutoloadJsHandler, DocHandler, server_html_page_for_session
from panel.io.session import generate_session
from panel.io.state import set_curdoc, state
from tornado.web import HTTPError

from workbench.pages import preview, registry
from workbench.pages.address import look_of
from workbench.pages.server import headers, hosts
from workbench.pages.server.admission import ServerFull

RETRY_SECONDS = 30
# As long as Bokeh keeps a session whose websocket does not come.
EXPECTED_SECONDS = 15.0
# Stands in the kept text of a page for the token of a visit.
TOKEN = "the token of this visit"
FULL = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="{retry}">
<title>Duality Workbench</title></head>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem">
<h1>All places are taken</h1>
<p>{sentence}</p><p>This page tries again by itself.</p>
</body></html>
"""
# The place is the script element that asks, which shows nothing itself.
FULL_SCRIPT = """(() => {{
  const note = document.createElement("p");
  note.setAttribute("role", "alert");
  note.textContent = {sentence};
  const place = document.getElementById({place});
  if (place) place.after(note);
  else document.body.append(note);
}})();
"""
STRANGER = (
    "This page opens at its own address, not inside another site; whoever runs the server can let one "
    "in with --allow-embed and --allow-origin.\n"
)


class Gate:
    """The sessions of a server as one of its processes sees them, and their admission.

    Parameters
    ----------
    application : bokeh.server.tornado.BokehTornado
    admission : admission.Admission
    embedders : sequence of str
        Origins whose pages may show these in a frame.
    proxies : collection of str
        Addresses whose X-Forwarded-For is believed.
    """

    def __init__(self, application, admission, embedders=(), proxies=()):
        self.contexts = list(application._applications.values())
        self.admission, self.embedders, self.proxies = admission, embedders, frozenset(proxies)
        self.origins = application.websocket_origins
        self.opening = Counter()
        self.expected = {}  # until when a place is kept for the websocket of a visit, by its name
        self.texts = {}  # of the pages, by address and look
        for context in self.contexts:
            # Pages, embedded pages and websockets all get their session here.
            context.create_session_if_needed = self._counted(context.create_session_if_needed)

    def _counted(self, create):
        async def create_session_if_needed(session_id, request=None, token=None):
            self.refresh()
            if request is not None:
                # Pages know their visitor by it, behind a proxy as well.
                request.remote_ip = self.address(request)
            self.admission.admit(session_id, self.address(request))
            self.opening[session_id] += 1
            try:
                session = await create(session_id, request, token)
                if self.admission.processes > 1 and "dist_url" not in session.document.template_variables:
                    _own_styles(session.document)
                return session
            finally:
                self.opening[session_id] -= 1
                self.opening += Counter()

        return create_session_if_needed

    def refresh(self):
        """Take sessions that have ended off the count of visits."""
        present = {session.id for context in self.contexts for session in context.sessions}
        now = time.monotonic()
        self.expected = {visit: until for visit, until in self.expected.items() if now < until}
        self.admission.release_others(present | set(self.opening) | set(self.expected))

    def expect(self, visit, address):
        """Hold a place for a visit whose websocket will come, to this process or to another one.

        Raises
        ------
        ServerFull
        """
        self.refresh()
        self.admission.admit(visit, address)
        self.expected[visit] = time.monotonic() + EXPECTED_SECONDS

    def address(self, request):
        """Return the address of a request: that of the last proxy that is not trusted."""
        address = request.remote_ip
        forwarded = request.headers.get("X-Forwarded-For", "").split(",")
        while address in self.proxies and forwarded:
            try:
                address = str(ipaddress.ip_address(forwarded.pop().strip()))
            except ValueError:
                break
        return address

    def knows(self, request):
        """Return True if the origin that a request names is one of this server's, or that of its page."""
        origin = hosts.netloc(request.headers.get("Origin", ""))
        # As through a tunnel, whose port this server does not know; its name is known to be served.
        host = request.headers.get("Host", "").lower()
        same = host in (origin, origin.rpartition(":")[0])
        return bool(origin) and (origin in self.origins or same)


def _own_styles(document):
    """Have a document take its styles from this server: Panel sees to that where it writes a page's text."""
    with set_curdoc(document):
        place = f"{state.rel_path}/{LOCAL_DIST}" if state.rel_path else LOCAL_DIST
        document.template_variables["dist_url"] = place  # for models that are still to come
        for root in document.roots:
            patch_model_css(root, place)


def gate_of(handler):
    return handler.application.settings["gate"]


class Visited:
    """Base of pages and embedded pages: the server names their visits; no other site may ask for them."""

    async def prepare(self):
        for name in ("bokeh-token", "bokeh-session-id"):
            self.request.arguments.pop(name, None)
        self.request.headers.pop("Bokeh-Session-Id", None)
        if self._is_cross_site() and not self.from_a_friend(gate_of(self)):
            self.set_status(403)
            self.set_header("Content-Type", "text/plain; charset=utf-8")
            self.finish(STRANGER)
            return
        await super().prepare()

    def _is_cross_site(self):
        """Return True if another site has the browser ask: pictures could bring any number of visits."""
        header = self.request.headers
        elsewhere = "Origin" in header and not gate_of(self).knows(self.request)
        return elsewhere or header.get("Sec-Fetch-Site", "none") in ("cross-site", "same-site")


class Page(Visited, DocHandler):
    """A page."""

    def from_a_friend(self, gate):
        destination = self.request.headers.get("Sec-Fetch-Dest")
        return self.request.headers.get("Sec-Fetch-Mode") == "navigate" and (
            destination == "document" or (destination in ("iframe", "frame") and bool(gate.embedders))
        )

    async def get(self, *arguments, **keywords):
        try:
            if gate_of(self).admission.processes > 1:
                await self._get_text()
            else:
                await super().get(*arguments, **keywords)
        except ServerFull as full:
            self.set_status(503)
            self.set_header("Retry-After", str(RETRY_SECONDS))
            self.finish(FULL.format(retry=RETRY_SECONDS, sentence=html.escape(str(full))))

    async def _get_text(self):
        """Answer before there is a session: the websocket may come to another process."""
        token, gate = self._new_token(), gate_of(self)
        gate.expect(get_session_id(token), gate.address(self.request))
        look = look_of(self.request.arguments)
        key = self.request.path, str(look)
        if key not in gate.texts:
            gate.texts[key] = await self._text(look)
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Type", "text/html")
        self.write(gate.texts[key].replace(TOKEN, token))

    def _new_token(self):
        app = self.application
        signed = {"secret_key": app.secret_key, "signed": app.sign_sessions}
        return generate_jwt_token(
            generate_session_id(**signed),
            expiration=app.session_token_expiration,
            extra_payload=self._generate_token_payload(),
            **signed,
        )

    async def _text(self, look):
        """The text of the page, the same for all visits with this look, from a session that nobody has."""
        application = self.application_context.application
        session = generate_session(application, self.request, {"arguments": look})
        document = session.document
        with set_curdoc(document):
            resources = Resources.from_bokeh(self.application.resources())
            text = server_html_page_for_session(
                session, resources, document.title, TOKEN, document.template, document.template_variables
            )
        await application.on_session_destroyed(document.session_context)
        return text

    def _with_preview(self, text):
        """The text of a page with what a link to it shows elsewhere."""
        path = self.request.path.rstrip("/")
        page = registry.pages().get(path.rpartition("/")[2])
        if page is None:
            return text
        address = f"{self.request.protocol}://{self.request.host}{path}.png"
        tags = preview.title(page.title, page.sentence) + preview.picture(address)
        return text.replace("<head>", f"<head>\n{tags}", 1)

    def write(self, chunk):
        if isinstance(chunk, str):
            chunk, policy = headers.guarded(self._with_preview(chunk), self.request.host)
            self.set_header(headers.POLICY, policy)
        super().write(chunk)


class Embedded(Visited, AutoloadJsHandler):
    """The script that shows a page within another one."""

    def set_default_headers(self):
        """Let only those read the script whose websocket would be taken."""
        self.set_header("Vary", "Origin")
        if gate_of(self).knows(self.request):
            self.set_header("Access-Control-Allow-Origin", self.request.headers["Origin"])
            self.set_header("Access-Control-Allow-Methods", "GET, OPTIONS")
            self.set_header("Access-Control-Allow-Headers", "*")

    def from_a_friend(self, gate):
        return gate.knows(self.request)

    async def get(self, *arguments, **keywords):
        if not hosts.is_url(self.get_argument("bokeh-absolute-url", "")):
            raise HTTPError(400, reason="bokeh-absolute-url is not an address")
        try:
            await super().get(*arguments, **keywords)
        except ServerFull as full:
            self.set_status(503)
            self.set_header("Retry-After", str(RETRY_SECONDS))
            self.set_header("Content-Type", "application/javascript")
            place = self.get_argument("bokeh-autoload-element")
            self.finish(FULL_SCRIPT.format(sentence=json.dumps(str(full)), place=json.dumps(place)))

    async def options(self, *arguments, **keywords):
        self.set_status(204)
