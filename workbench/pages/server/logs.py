"""The log of a server: lines of bounded length without control characters, and few of a kind."""

import logging
import re
import time
import traceback

from workbench.pages.server import budgets

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
MINUTE = 60.0
# Its lines have addresses that strangers ask for.
REQUESTS = "tornado.access"


def bound():
    """Bound all records of this process."""
    logging.setLogRecordFactory(_bounded(logging.getLogRecordFactory()))
    logging.getLogger(REQUESTS).addFilter(Rate(budgets.LINES.most))


def line(text):
    """Return a text as one line of the log."""
    most = budgets.LINE_CHARACTERS.most
    text = CONTROL.sub(_escape, text[:most]) + ("…" if len(text) > most else "")
    return text[: most + 1]


def _escape(match):
    return match.group().encode("unicode_escape").decode()


def _bounded(factory):
    def record_of(*arguments, **keywords):
        record = factory(*arguments, **keywords)
        try:
            record.msg, record.args = line(record.getMessage()), None
        except Exception:  # a fault of the caller, which the handler reports
            return record
        if record.exc_info and record.exc_info[0] is not None:
            text = "".join(traceback.format_exception(*record.exc_info)).strip()
            text = text[-budgets.TRACEBACK_CHARACTERS.most :]
            record.exc_text = "\n".join(map(line, text.split("\n")))
        return record

    return record_of


class Rate(logging.Filter):
    """Lets a number of lines a minute through."""

    def __init__(self, most):
        super().__init__()
        self.most, self.count, self.since = most, 0, float("-inf")

    def filter(self, record):
        now = time.monotonic()
        if now - self.since > MINUTE:
            self.count, self.since = 0, now
        self.count += 1
        return self.count <= self.most
