"""The list of routes against what Panel and Bokeh register, the served names, and the policy of the pages."""

import panel as pn
import pytest
from tornado.httputil import HTTPHeaders
from tornado.web import RequestHandler

from workbench.pages import registry
from workbench.pages.hosts import served
from workbench.pages.server import headers, hosts, routes
from workbench.pages.server.admission import Admission


@pytest.fixture
def application():
    """The application that serves all pages, as Panel and Bokeh make it."""
    pages = {name: served.opener(page) for name, page in registry.pages().items()}
    server = pn.io.server.get_server(pages, port=0, address="localhost", num_procs=1, start=False)
    yield server._tornado
    server.stop()


def registered(application):
    """Every rule of an application, also of what it hands on to."""

    def walk(router):
        for rule in router.rules:
            inner = getattr(rule.target, "rules", None)
            yield from [rule] if inner is None else walk(rule.target)

    return list(walk(application.default_router))


def test_every_route_that_is_registered_has_its_decision(application):
    rules = registered(application)
    assert len(rules) == 5 * len(application.app_paths) + 5
    new = [rule for rule in rules if routes.of(rule, application.app_paths) is None]
    assert new == [], "new routes of Panel or Bokeh: decide in routes.ROUTES whether they are served, and why"
    # And nothing is on the list that is no longer there.
    assert {routes.of(rule, application.app_paths) for rule in rules} == set(routes.ROUTES)
    assert all(route.reason for route in routes.ROUTES)


def test_only_listed_routes_are_left(application):
    class New(RequestHandler):
        pass

    application.wildcard_router.add_rules([(r"/new", New), (r"/static/(.*)", New)])
    routes.guard(application, Admission(3))
    left = [rule.target for rule in application.wildcard_router.rules]
    served = {route.handler for route in routes.ROUTES if route.handler}
    assert set(left) == served
    pages = len(application.app_paths)
    assert len(left) == 3 * pages + 5


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://a.org", "a.org:80"),
        ("https://A.org", "a.org:443"),
        ("https://a.org:8443", "a.org:8443"),
        ("ftp://a.org", ""),
        ("null", ""),
        ("", ""),
        ("http://[", ""),
        ("http://a:99999", ""),
        ("a.org", ""),
    ],
)
def test_the_port_of_an_origin_follows_its_scheme(origin, expected):
    assert hosts.netloc(origin) == expected


def test_names_are_the_hosts_of_the_origins():
    assert hosts.hosts_of(["localhost:80", "lab.org:443"]) == {"localhost", "lab.org"}
    assert [hosts.host_name(host) for host in ("A.org:80", "[::1]:80", "[::1]", "a", "")] == [
        "a.org",
        "[::1]",
        "[::1]",
        "a",
        "",
    ]


def test_only_the_scripts_of_the_page_have_its_nonce():
    page, policy = headers.guarded("<script>1</script><SCRIPT src=x></SCRIPT><scripted>", "localhost:80")
    nonce = policy.split("'nonce-")[1].split("'")[0]
    assert page.count(nonce) == 1
    sent = headers.Headers(["https://a.org"], None).transform_first_chunk(
        200, HTTPHeaders({headers.POLICY: policy}), b"", True
    )[1]
    assert sent[headers.POLICY].endswith("frame-ancestors 'self' https://a.org")
    assert "connect-src 'self' blob: ws://localhost:80 wss://localhost:80;" in sent[headers.POLICY]
