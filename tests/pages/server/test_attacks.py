"""Requests of attackers to a served process: each line stands above the test that sends it."""

import contextlib
import socket

import pytest

from tests.helpers.stub_server import ask, get, put_stubs, unshaken

BOKEH = "/static/js/bokeh.min.js"
PANEL = "/static/extensions/panel/panel.min.js"
EMBEDDED = "/stub-page/autoload.js?bokeh-autoload-element=x"
ROOTS = ("/", "/static/", "/static/extensions/", "/static/extensions/panel/", "/components/")
# Modules whose import shows: it prints, ends the process, or opens a page.
TELLTALES = ("unittest.__main__", "this", "antigravity", "idlelib.idle", "__main__", "os", "tornado.web", "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("pages")
    put_stubs(place)
    return place


@pytest.fixture(scope="module")
def server(folder):
    """A default server; it still answers in the end, and has logged no traceback."""
    with unshaken(folder) as started:
        yield started


# GET /components/unittest.__main__/A/__css__/x, again and again: ended the process.
def test_a_module_that_ends_the_process_is_not_imported(server):
    for _ in range(10):
        assert ask(server, "/components/unittest.__main__/A/__css__/x").status == 404
    assert server.process.poll() is None
    assert ask(server, "/stub-page").status == 200


# GET /components/this/d/__css__/x: ran an installed module.
@pytest.mark.parametrize("module", TELLTALES)
@pytest.mark.parametrize("rest", ["/A/__css__/x", "/path/css/x", "/d/_resources/css/x", "/d", ""])
def test_modules_are_not_run_by_their_name(server, module, rest):
    assert ask(server, f"/components/{module}{rest}").status == 404


# GET /components/panel.widgets.input/TextInput/...: components that are there, files that they do not list.
@pytest.mark.parametrize(
    "path",
    [
        "panel.widgets.input/TextInput/__css__/../../../etc/passwd",
        "panel.widgets.input/TextInput/_stylesheets/input.py",
        "panel.widgets.input/TextInput/_resources",
        "panel.template.base/BaseTemplate/_resources/css",
        "panel.widgets.input/param/__css__/x",
        "panel.widgets/TextInput/__css__/x",
        "panel.template.base/BaseTemplate/__init__/x",
        "panel.template.base/BaseTemplate/modifiers/x",
    ],
)
def test_components_give_only_what_they_list(server, path):
    assert ask(server, f"/components/{path}").status == 404


# GET /components/panel.template.vanilla/...: what a component that is there lists, pages may need.
def test_what_a_component_lists_is_served(server):
    reply = ask(server, "/components/panel.template.vanilla/VanillaTemplate/_css/vanilla.css")
    assert (reply.status, reply.headers["content-type"]) == (200, "text/css")


# GET /rest/session_info, /liveness, /login, /admin and what else Panel and Bokeh can register.
@pytest.mark.parametrize(
    "path",
    [
        "/rest/session_info",
        "/rest/state",
        "/liveness",
        "/login",
        "/logout",
        "/admin",
        "/docs",
        "/layout",
        "/stub-page/metadata",
        "/stub-page/static/js/bokeh.min.js",
        "/panel_dist/panel.min.js",
        "/assets/x",
        "/panel-preview/render",
        "/.git/config",
        "/stub_page.py",
        "/stub-page.py",
        "//stub-page",
        "/stub-page/ws/x",
        "/upload",
        "/__patchedroot/static/js/bokeh.min.js",
        "http://localhost/stub-page",
    ],
)
def test_other_files_are_not_served(server, path):
    assert ask(server, path).status == 404


def test_an_unknown_page_is_told_of_those_that_there_are(server):
    answer = ask(server, "/nopage")
    assert answer.status == 404
    assert "Unknown page 'nopage'; expected one of other, stub-page." in answer.body.decode()


# GET /static/../../../../etc/passwd, encoded and not, by every route that gives files.
@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize(
    "path",
    [
        "../../../../../../../../etc/passwd",
        "..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/views/ws.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "....//....//etc/passwd",
        "..%5c..%5cserver.py",
        "js/../../server.py",
        "js%00.js",
        "js%2500.js",
        "x" * 5000,
        "%ff%fe",
        "js",
        "panel/../../__init__.py",
        "~root",
        "C:%5cwindows%5cwin.ini",
    ],
)
def test_files_outside_are_not_served(server, root, path):
    reply = ask(server, root + path)
    assert reply.status in (400, 403, 404)
    assert b"root:" not in reply.body
    assert b"import " not in reply.body


# Host: attacker.example, on every route, as a name that was rebound to this machine sends it.
@pytest.mark.parametrize(
    "path",
    ["/", "/stub-page", EMBEDDED, "/stub-page/ws", "/favicon.ico", BOKEH, PANEL, "/components/x", "/x"],
)
@pytest.mark.parametrize("host", ["attacker.example", "attacker.example:{port}", "127.0.0.1.nip.example"])
def test_foreign_names_are_refused_on_every_route(server, path, host):
    reply = ask(server, path, host=host.format(port=server.port))
    assert reply.status == 421
    assert b"does not answer to the name" in reply.body
    assert b"--allow-origin HOST:PORT" in reply.body
    assert b"token" not in reply.body


# Host: localhost.attacker.example, localhost@attacker, empty, none, twice: names that look like this one.
@pytest.mark.parametrize(
    ("host", "version"),
    [
        ("localhost.attacker.example", "1.1"),
        ("localhost@attacker.example", "1.1"),
        ("localhost,x", "1.1"),
        ("", "1.0"),
        ("", "1.1"),
        ("0.0.0.0", "1.1"),
        ("[::]", "1.1"),
        ("[::1]:80", "1.1"),
        ("2130706433", "1.1"),
        ("127.1", "1.1"),
        ("localhost:80:80", "1.1"),
        ("localhost/", "1.1"),
        ("xn--localhost", "1.1"),
    ],
)
def test_names_that_look_alike_are_refused(server, host, version):
    assert ask(server, "/stub-page", host=host, version=version).status in (400, 421)
    twice = ask(server, "/stub-page", "Host: attacker.example")
    assert twice.status in (400, 421)


# X-Forwarded-Host, Forwarded, X-Original-URL: what a proxy would say is not believed.
def test_headers_of_proxies_change_neither_name_nor_address(server):
    headers = ("X-Forwarded-Host: localhost", "Forwarded: host=localhost", "X-Original-URL: /")
    assert ask(server, "/stub-page", *headers, host="attacker.example").status == 421
    assert ask(server, "/nowhere", *headers).status == 404


# Host: LOCALHOST and 127.0.0.1, with any port: the names that are served, as a tunnel or a proxy sends them.
@pytest.mark.parametrize("host", ["localhost:{port}", "LOCALHOST", "127.0.0.1", "localhost:8080"])
def test_own_names_are_answered(server, host):
    assert ask(server, "/stub-page", host=host.format(port=server.port)).status == 200


# An address of a page that another one replaces; its own settings come before those that it gains.
@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("/old-stub", "stub-page?lam=0.5"),
        ("/old-stub/", "../stub-page?lam=0.5"),
        ("/course/old-stub?theme=dark", "stub-page?lam=0.5&theme=dark"),
        ("/old-stub?lam=0.1", "stub-page?lam=0.1"),
        ("/old-stub?lam=%ff&%0d%0aX:y", "stub-page?lam=%ff&%0d%0aX:y"),
    ],
)
def test_a_former_name_leads_to_the_page(server, path, address):
    reply = ask(server, path)
    assert (reply.status, reply.headers["location"]) == (302, address)


def test_a_former_name_of_a_page_that_is_not_served(folder):
    with unshaken(folder, "other") as started:
        assert ask(started, "/old-stub").status == 404


# POST, PUT, DELETE, TRACE, CONNECT and an unknown method, to every route.
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "\x00"])
@pytest.mark.parametrize("path", ["/", "/stub-page", "/stub-page/ws", "/stub-page/autoload.js", BOKEH])
def test_other_methods_are_refused(server, method, path):
    assert ask(server, path, method=method).status in (400, 403, 404, 405)


# OPTIONS /PAGE/autoload.js without an Origin: failed with a traceback.
def test_options_without_an_origin(server):
    reply = ask(server, "/stub-page/autoload.js", method="OPTIONS")
    assert reply.status == 204
    assert "access-control-allow-origin" not in reply.headers


# A header of a megabyte, ten thousand headers, a body of gigabytes, and no request at all.
@pytest.mark.parametrize(
    "headers",
    [
        ("X-Long: " + "x" * 2**20,),
        tuple(f"X-{i}: y" for i in range(10_000)),
        ("Content-Length: 9999999999",),
        ("Content-Length: -1",),
        ("Content-Length: x",),
        ("Transfer-Encoding: chunked", "Content-Length: 5"),
        ("Broken",),
        (" folded: x",),
        ("X: \x00",),
    ],
)
def test_too_large_and_empty_requests_are_refused(server, headers):
    with contextlib.suppress(ConnectionError):  # closed while it is being sent
        assert ask(server, "/stub-page", *headers, method="POST").status in (400, 405, 413, 431, None)
    assert ask(server, "/favicon.ico").status == 200


# GET /PAGE?bokeh-token=x, bokeh-session-id=x, and as a header: sessions of a stranger's choice.
@pytest.mark.parametrize("key", ["bokeh-token", "bokeh-session-id"])
@pytest.mark.parametrize("value", ["x", "", "%ff", "e30", "A" * 2000])
def test_a_visitor_does_not_choose_the_session(server, key, value):
    for path in ("/stub-page?", "/stub-page/autoload.js?bokeh-autoload-element=x&"):
        reply = ask(server, f"{path}{key}={value}", "Bokeh-Session-Id: stolen")
        assert reply.status == 200
        assert b"stolen" not in reply.body


# GET /PAGE/autoload.js with invalid addresses and elements.
@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 400),
        ("?bokeh-autoload-element=", 400),
        ("?bokeh-autoload-element=x&bokeh-absolute-url=http://[", 400),
        ("?bokeh-autoload-element=%ff", 400),
        ("?bokeh-autoload-element=</script><script>alert(1)", 200),
        ("?bokeh-autoload-element=x&resources=nothing", 200),
    ],
)
def test_malformed_questions_for_an_embedded_page(server, query, status):
    reply = ask(server, "/stub-page/autoload.js" + query.replace(" ", "%20"))
    assert reply.status == status
    assert reply.headers["x-content-type-options"] == "nosniff"


# <img src="http://localhost:5006/PAGE"> on another site: would take all places.
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(
    ("mode", "shown"),
    [("no-cors", "image"), ("cors", "empty"), ("no-cors", "script"), ("navigate", "iframe")],
)
def test_other_sites_begin_no_visits(server, site, mode, shown):
    asked = (f"Sec-Fetch-Site: {site}", f"Sec-Fetch-Mode: {mode}", f"Sec-Fetch-Dest: {shown}")
    for path in ("/stub-page", EMBEDDED):
        reply = ask(server, path, *asked)
        assert reply.status == 403
        assert b"--allow-embed" in reply.body
        assert b"token" not in reply.body


# fetch("http://localhost:5006/PAGE/autoload.js"): gave its token to any site.
def test_other_sites_read_no_token(server):
    reply = ask(server, EMBEDDED, "Origin: https://attacker.example")
    assert reply.status == 403
    assert "access-control-allow-origin" not in reply.headers
    own = f"http://localhost:{server.port}"
    assert ask(server, EMBEDDED, f"Origin: {own}").headers["access-control-allow-origin"] == own


# A link on another site: what a course does.
def test_other_sites_may_link(server):
    asked = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")
    assert ask(server, "/stub-page", *asked).status == 200


# Every response, errors as well, says what the browser may do with it.
@pytest.mark.parametrize(
    "path",
    ["/", "/stub-page", EMBEDDED, "/stub-page/ws", "/favicon.ico", BOKEH, PANEL, "/components/x", "/x"],
)
def test_headers_on_every_response(server, path):
    for reply in (ask(server, path), ask(server, path, host="attacker.example")):
        policy = reply.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert policy.endswith("; base-uri 'none'; form-action 'none'; frame-ancestors 'self'")
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "same-origin"


# A script that is smuggled into a page has no nonce; that of each visit is another.
def test_scripts_need_a_nonce_of_this_visit(server):
    policies = [ask(server, "/stub-page").headers["content-security-policy"] for _ in range(2)]
    scripts = [policy.split("script-src ")[1].split(";")[0] for policy in policies]
    assert all(
        "'nonce-" in script and "'unsafe-inline'" not in script and "*" not in script for script in scripts
    )
    assert scripts[0] != scripts[1]


# --allow-embed: the course's site, and no other, may show the pages in a frame.
# 0.0.0.0: the machine's own names are served, others are not.
def test_a_server_for_the_network_has_its_names_and_a_course_may_embed(folder):
    embed = ("--allow-embed", "https://Course.Example.org", "--allow-origin", "course.example.org:443")
    network = ("--address", "0.0.0.0", "--allow-origin", "lab.example.org:443")
    with unshaken(folder, *embed, *network) as server:
        framed = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe")
        reply = ask(server, "/stub-page", *framed)
        assert reply.status == 200
        policy = reply.headers["content-security-policy"]
        assert policy.endswith("; frame-ancestors 'self' https://course.example.org")
        reply = ask(server, EMBEDDED, "Origin: https://course.example.org", "Sec-Fetch-Site: cross-site")
        assert reply.status == 200
        assert reply.headers["access-control-allow-origin"] == "https://course.example.org"
        assert ask(server, EMBEDDED, "Origin: https://attacker.example").status == 403
        own = ("localhost", "127.0.0.1", socket.gethostname())
        for host in (*own, "lab.example.org", "LAB.example.org:443"):
            assert ask(server, "/stub-page", host=host).status == 200
        for host in ("attacker.example", "example.org", "x.lab.example.org", "0.0.0.0"):
            assert ask(server, "/static/js/bokeh.min.js", host=host).status == 421
        assert get(f"http://127.0.0.1:{server.port}/")[1]
