"""Losses that a visitor types: derived within limits in a worker, then compiled in this process."""

import asyncio

import param

from workbench._support.errors import InputError, shown
from workbench.kernels import custom_functions
from workbench.pages.derivations import DerivationQueue
from workbench.pages.dual_lab.model import KINDS, LONGEST, TYPED
from workbench.pages.server import budgets
from workbench.problems import losses

# Those of all visits that were compiled: their machine code stays until the process ends.
COMPILED = set()
EMPTY = f"{TYPED}: p(u) is empty; type a convex function such as max(0, 1 - u)**3 / 3"
TOO_MANY = f"{TYPED}: one visit may type {budgets.TYPED_LOSSES.most} losses; load the page again"
FULL = (
    f"{TYPED}: the visitors of this server have typed {budgets.ALL_TYPED_LOSSES.most} losses, as many as it "
    "compiles; type one of those, or run `workbench serve` on a computer of your own"
)
ANOTHER = f"{TYPED}: another one was typed before this one was derived"
LIMIT = f"may have at most {LONGEST} characters, all of which print"
UNKNOWN = f"{TYPED}: this loss has not been derived; type it again"
# What the page's module knows of it before it is derived.
TERM = {"text": "", "parameter": None, "control": None, "separator": ":", "is_margin": True, "is_typed": True}


class Formula(param.String):
    """The text of a formula."""

    longest = LONGEST

    def _validate(self, val):
        super()._validate(val)
        if not is_short(val):
            raise ValueError(f"the formula {LIMIT}")


def is_short(text):
    """Return true if a text may be derived: a long one takes long before it is refused."""
    return len(text) <= LONGEST and text.isprintable()


def fields(name):
    """Return the text and the kind of a typed loss, as a message names it.

    Raises
    ------
    InputError
        It is not of that form, empty, too long, or has characters that do not print.
    """
    text, kind = name.get("text"), name.get("kind")
    if set(name) != {"text", "kind"} or not isinstance(text, str) or kind not in KINDS:
        raise InputError(f"{TYPED}: expected text and kind, one of {', '.join(KINDS)}; got {shown(name)}")
    if not text.strip():
        raise InputError(EMPTY)
    if not is_short(text):
        raise InputError(f"{TYPED}: p(u) {LIMIT}")
    return {"text": text, "kind": kind}


class TypedLosses:
    """The typed losses of one visit; of those that are asked for at once the last is derived."""

    def __init__(self):
        self.queue, self.made = DerivationQueue(), {}

    def derived(self, text, kind):
        """Return a loss that was derived before, so that no request derives without the limits."""
        loss = self.made.get((text, kind))
        if loss is None:
            raise InputError(UNKNOWN)
        return loss

    async def derive(self, text, kind):
        """Return the loss of a formula and its kind.

        Raises
        ------
        InputError
            The formula is not a convex loss, the derivation met its limit, or another one was asked for.
        """
        if (text, kind) in self.made:
            return self.made[text, kind]
        if len(self.made) >= budgets.TYPED_LOSSES.most:
            raise InputError(TOO_MANY)
        if (text, kind) not in COMPILED and len(COMPILED) >= budgets.ALL_TYPED_LOSSES.most:
            raise InputError(FULL)
        try:
            source = await self.queue.ask("loss_source", text, kind)
        except asyncio.CancelledError:
            if (
                asyncio.current_task().cancelling()
            ):  # the visit ended, or the page does not want this one any more
                raise
            raise InputError(ANOTHER) from None
        except InputError as error:
            raise InputError(f"{TYPED}: {error}") from None
        COMPILED.add((text, kind))
        loss = await asyncio.to_thread(_made, source, text, kind)
        self.made[text, kind] = loss
        return loss

    def close(self):
        self.queue.cancel()


def _made(source, text, kind):
    custom_functions.keep(source, "loss", text, kind, None, ())
    return losses.custom(text, kind)
