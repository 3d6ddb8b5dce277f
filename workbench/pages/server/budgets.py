"""The budgets of a visit: what its page may ask of a process and keep in it, as in `docs/serving.md`."""

from typing import NamedTuple

from workbench.data import store

MEGABYTE = 2**20


class Budget(NamedTuple):
    """A limit.

    Attributes
    ----------
    limits : str
        What is limited.
    most : int or float
        How much of it a visit may have.
    unit : str
    then : str
        What happens beyond it.
    """

    limits: str
    most: float
    unit: str
    then: str


QUESTIONS = Budget("questions under way", 64, "", "refused")
QUESTION_BYTES = Budget("bytes of the questions under way", 32 * MEGABYTE, "bytes", "refused")
ANSWER_BYTES = Budget("bytes of answers within a minute", 64 * MEGABYTE, "bytes", "refused")
UNREAD_BYTES = Budget("bytes sent that the browser has not read", 64 * MEGABYTE, "bytes", "closed")
REFUSALS = Budget("messages within a minute that cannot be used", 100, "", "closed")
ENGINES = Budget("runs side by side", 4, "", "refused")
EPOCHS = Budget("epochs of a run", 32_000, "", "the run ends")
EPOCHS_AT_ONCE = Budget("epochs that one message asks for", 100, "", "refused")
STEPS_AT_ONCE = Budget("steps that one message asks for", 1_000_000, "", "refused")
TURN_SECONDS = Budget("time in a turn at computing", 2.0, "s", "the other visits have a turn")
WORK_AT_ONCE = Budget("long answers at once", 2, "", "the others wait")
WORK_SECONDS = Budget("computing time of an answer", 60.0, "s", "refused")
ENTRIES = Budget("entries of a list in a message", 2000, "", "refused")
COMBINATIONS = Budget("combinations of terms that kernels are compiled for", 24, "", "refused")
ALL_COMBINATIONS = Budget("combinations of terms, for all visits", 120, "", "refused")
TYPED_LOSSES = Budget("typed losses that are compiled", 20, "", "refused")
ALL_TYPED_LOSSES = Budget("typed losses that are compiled, for all visits", 60, "", "refused")
UPLOAD_BYTES = Budget(
    "bytes of uploads by address", store.MEGABYTES * store.SHARE * MEGABYTE, "bytes", "the oldest are deleted"
)
FAULTS = Budget("faults of this program in the log", 3, "", "not logged")
LINE_CHARACTERS = Budget("characters of a line of the log", 500, "", "cut")
TRACEBACK_CHARACTERS = Budget("characters of a traceback in the log", 8000, "", "cut")
LINES = Budget("lines about requests in the log within a minute, for all visits", 120, "", "not logged")

TABLE = tuple(value for value in globals().values() if isinstance(value, Budget))


def markdown():
    """Return the table of docs/serving.md."""
    rows = [f"| {row.limits} | {_amount(row)} | {row.then} |" for row in TABLE]
    return "\n".join(["| a visit has | at most | beyond it |", "| --- | --- | --- |", *rows])


def _amount(row):
    if row.unit == "bytes":
        return f"{row.most / MEGABYTE:g} MB"
    return f"{row.most:g} {row.unit}".strip() if row.most < 1000 else f"{row.most:,}"
