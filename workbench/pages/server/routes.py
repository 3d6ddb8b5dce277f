"""The routes that are served, and why. What Panel and Bokeh register besides answers 404."""

import asyncio
import sys
from typing import NamedTuple

import param
from bokeh.model import Model
from bokeh.server.views.ico_handler import IcoHandler
from bokeh.server.views.metadata_handler import MetadataHandler
from bokeh.server.views.multi_root_static_handler import MultiRootStaticHandler
from bokeh.server.views.static_handler import StaticHandler
from panel.io.server import AutoloadJsHandler, ComponentResourceHandler, DocHandler, RootHandler, WSHandler
from tornado.routing import Matcher, PathMatches, Rule
from tornado.web import ErrorHandler, HTTPError, RequestHandler

from workbench.pages import preview, registry
from workbench.pages.server import gate, hosts, sockets

PREVIEW_SECONDS = 86_400
ELSEWHERE = (
    "This server does not answer to the name {host}. Use the address that it printed at its start; whoever "
    "runs the server can add a name with --allow-origin HOST:PORT.\n"
)


class Components(ComponentResourceHandler):
    """Files that a component lists, of components that are there.

    Panel's handler imports whatever module the address names, and so runs it.
    """

    def parse_url_path(self, path):
        name, _, rest = path.partition("/")
        # Not `getattr`, which a module may answer with an import.
        component = getattr(sys.modules.get(name), "__dict__", {}).get(rest.partition("/")[0])
        is_component = isinstance(component, type) and issubclass(component, (param.Parameterized, Model))
        if not is_component or component.__module__ != name:
            raise HTTPError(404)
        try:
            return super().parse_url_path(path)
        except Exception:
            # What it does not list, parts that are missing, lists of something else than paths.
            raise HTTPError(404) from None


class Route(NamedTuple):
    """A route as it is registered, what answers there, and the reason why it is served or not.

    `pattern` is a regular expression; {page} stands for the path of any page. Without a `handler` the route
    is taken away.
    """

    pattern: str
    registered: type
    handler: type | None
    reason: str


ROUTES = (
    Route("/favicon.ico", IcoHandler, IcoHandler, "browsers ask for it; it is read once, at the start"),
    Route("{page}/?", DocHandler, gate.Page, "the pages; each takes a place"),
    Route("{page}/ws", WSHandler, sockets.Socket, "what moves a page; only with a token of this server"),
    Route("{page}/autoload.js", AutoloadJsHandler, gate.Embedded, "a page within another; takes a place"),
    Route("{page}/metadata", MetadataHandler, None, "nothing reads it"),
    Route("{page}/static/(.*)", StaticHandler, None, "pages ask for /static"),
    Route("/?", RootHandler, RootHandler, "the list of the pages, or the way to the only one"),
    Route("/components/(.*)", ComponentResourceHandler, Components, "files of Panel's components"),
    Route(
        "/static/extensions/(.*)",
        MultiRootStaticHandler,
        MultiRootStaticHandler,
        "scripts, styles and fonts of Panel and of its extensions",
    ),
    Route("/static/(.*)", StaticHandler, StaticHandler, "scripts of Bokeh"),
)


def of(rule, pages):
    """The entry of a registered rule; None where it is new.

    Parameters
    ----------
    rule : tornado.routing.Rule
    pages : collection of str
        The paths of the pages.
    """
    pattern = rule.matcher.regex.pattern.removesuffix("$")
    for route in ROUTES:
        patterns = {route.pattern.format(page=page) for page in pages}
        if pattern in patterns and rule.target in (route.registered, route.handler):
            return route
    return None


class Elsewhere(Matcher):
    """Matches requests for any other host than those that are served.

    A page of somebody else's whose name was made to lead here (DNS rebinding) still sends that name. The port
    may differ, as behind a proxy or a tunnel.
    """

    def __init__(self, hosts):
        self.hosts = hosts

    def match(self, request):
        return None if hosts.host_name(request.headers.get("Host", "")) in self.hosts else {}


class Misdirected(RequestHandler):
    """Refuses a request for another host."""

    def prepare(self):
        host = self.request.headers.get("Host", "")[:100]
        self.set_status(421)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(ELSEWHERE.format(host=ascii(host)))


class Unknown(RequestHandler):
    """Names the pages where an address is not one of them."""

    def prepare(self):
        name = ascii(self.request.path[1:60])
        self.set_status(404)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"Unknown page {name}; expected one of {', '.join(registry.pages())}.\n")


class Picture(RequestHandler):
    """The picture of a page, for previews of links to it."""

    async def get(self, name):
        self.set_header("Content-Type", "image/png")
        self.set_header("Cache-Control", f"public, max-age={PREVIEW_SECONDS}")
        self.finish(await asyncio.to_thread(preview.png, name))


class Moved(RequestHandler):
    """Leads from the former name of a page to the page, with its settings."""

    def get(self, name, slash):
        page = registry.former()[name]
        query = page.query_of(name, self.request.query)
        # Relative, since a proxy may serve the pages from a folder.
        self.redirect(f"{'../' if slash else ''}{page.name}{query and f'?{query}'}", status=302)


def guard(application, admission, embedders=(), proxies=()):
    """Leave an application the routes that are served, with their handlers, under the served names.

    Parameters
    ----------
    application : bokeh.server.tornado.BokehTornado
    admission : admission.Admission
    embedders, proxies : sequence of str
        As a `gate.Gate` takes them.

    Returns
    -------
    gate.Gate
    """
    rules = []
    for rule in application.wildcard_router.rules:
        route = of(rule, application.app_paths)
        if route is not None and route.handler is not None:
            rule.target = route.handler
            rules.append(rule)
    application.wildcard_router.rules[:] = rules
    served = registry.pages().keys() & {path.rpartition("/")[2] for path in application.app_paths}
    former = [name for name, page in registry.former().items() if page.name in served]
    application.default_router.rules[:0] = [
        Rule(Elsewhere(hosts.hosts_of(application.websocket_origins)), Misdirected),
        # No file has such a name, and to ask for it is an error.
        Rule(PathMatches(r".*%00.*"), ErrorHandler, {"status_code": 404}),
        # Beside a page, also where its address has a folder.
        Rule(PathMatches(rf"/(?:[^/]+/)?({'|'.join(served)})\.png"), Picture),
        *(Rule(PathMatches(rf"/(?:[^/]+/)?({name})(/?)"), Moved) for name in former),
    ]
    # Last: what no other route takes.
    application.default_router.rules.append(Rule(PathMatches(r"/[^/]+/?"), Unknown))
    application.settings["gate"] = result = gate.Gate(application, admission, embedders, proxies)
    return result
