"""The names under which browsers reach a server, and the origins that may use or show it."""

import ipaddress
import re
import socket
from urllib.parse import urlsplit

from workbench._support.errors import InputError

WILDCARDS = ("", "0.0.0.0")
PORTS = {"http": 80, "https": 443}


def is_local(address):
    """Return True if only this machine reaches the address."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def websocket_origins(address, port):
    """The exact host:port texts that a browser may send as its origin, without duplicates."""
    hosts = ["localhost", "127.0.0.1"] if is_local(address) or address in WILDCARDS else []
    if address in WILDCARDS:
        hosts += [socket.gethostname(), socket.getfqdn(), *_own_addresses()]
        hosts += filter(None, [own_address()])
    else:
        hosts.append(address)
    return list(dict.fromkeys(f"{host.lower()}:{port}" for host in hosts))


def own_address():
    """The address of this machine in its network, "" where it has none; nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return probe.getsockname()[0]


def _own_addresses():
    try:
        return sorted({info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)})
    except socket.gaierror:
        return []


def checked_origin(origin):
    """HOST:PORT in small letters.

    Raises
    ------
    InputError
    """
    if not re.fullmatch(r"[\w.-]+:\d{1,5}", origin, re.ASCII):
        raise InputError(
            f"--allow-origin {origin!r} is not HOST:PORT; write it like workbench.example.org:80"
        )
    return origin.lower()


def checked_embedder(origin):
    """SCHEME://HOST or SCHEME://HOST:PORT in small letters, as a policy for frames takes it.

    Raises
    ------
    InputError
    """
    if not re.fullmatch(r"https?://[a-z0-9_.-]+(:\d{1,5})?", origin, re.ASCII | re.IGNORECASE):
        raise InputError(
            f"--allow-embed {origin!r} is not an origin; write it like https://course.example.org, without "
            "a path"
        )
    return origin.lower()


def checked_proxy(address):
    """The address of a proxy.

    Raises
    ------
    InputError
    """
    try:
        return str(ipaddress.ip_address(address))
    except ValueError:
        raise InputError(f"--trust-proxy {address!r} is not an IP address; write it like 10.0.0.2") from None


def netloc(origin):
    """Return host:port of an Origin header, with the port that its scheme implies; "" for any other text."""
    try:
        parts = urlsplit(origin)
        port = parts.port or PORTS[parts.scheme]
    except (KeyError, ValueError):
        return ""
    return f"{(parts.hostname or '').lower()}:{port}"


def is_url(text):
    """Return True if a text has the form of an address."""
    try:
        urlsplit(text)
    except ValueError:
        return False
    return True


def hosts_of(origins):
    """The names in host:port texts."""
    return {origin.rpartition(":")[0] for origin in origins}


def host_name(host):
    """The name in a Host header: in small letters and without its port."""
    return re.sub(r":\d*$", "", host).lower()
