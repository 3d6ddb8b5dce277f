"""The messages of a browser that a page's document hears: those of the page's channel, and that it is ready.

Bokeh would also set any property to any value, add roots, unpack bytes and build the models that a message
names; a page has no use for it, and a stranger could fill the memory by it.
"""

READY, CHANNEL = "document_ready", "data_event"


def page_events(content):
    """Return the events of the content of a change that a page's document hears.

    Parameters
    ----------
    content : object
        As it was sent.
    """
    events = content.get("events") if isinstance(content, dict) else None
    return [event for event in events if _is_heard(event)] if isinstance(events, list) else []


def _is_heard(event):
    match event:
        case {
            "kind": "MessageSent",
            "msg_type": "bokeh_event",
            "msg_data": {"type": "event", "name": name, "values": {"type": "map", **values}},
        }:
            if name == READY:
                return not values.get("entries")
            return name == CHANNEL and _is_envelope(values.get("entries"))
    return False


def _is_envelope(entries):
    match entries:
        case [
            ["model", {"id": str(), **more}],
            ["data", {"type": "map", "entries": [*fields], **others}],
        ] if not more and not others:
            return all(map(_is_field, fields))
    return False


def _is_field(field):
    match field:
        case [str(), str()]:
            return True
        case ["block", {"type": "bytes", "data": {"id": str()}}]:
            return True
    return False
