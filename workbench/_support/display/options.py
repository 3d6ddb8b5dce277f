"""Sentences that name arguments of Python, for those who type options."""

import re
import shlex

QUOTE = "'\""
QUOTED = r"'[^']*'|\"[^\"]*\""
# A number or a word, which does not end with the full stop of its sentence.
PLAIN = r"[-+]?\w(?:[\w.:+-]*\w)?"


def options_of(*names: str) -> dict:
    """Return the options of arguments whose names they have: --leave-out of leave_out."""
    return {name: f"--{name.replace('_', '-')}" for name in names}


def as_options(sentence: str, options: dict) -> str:
    """Return a sentence in which `name=value` stands as the option that says the same.

    Parameters
    ----------
    sentence : str
    options : dict of str to str or dict
        The option by the argument's name, or another name of it with an equals sign; where its values have
        options of their own, a dict of these.
    """
    if not options:
        return sentence
    names = "|".join(sorted(map(re.escape, options), key=len, reverse=True))
    several = rf"(?:{QUOTED})(?:(?:, | or )(?:{QUOTED}))*"
    pattern = rf"(?<![\w.({QUOTE}])({names}) ?= ?(?!=)(\[(?:{several})?\]|{several}|{PLAIN})"
    return re.sub(pattern, lambda match: _option(options[match[1]], match[2], match[0]), sentence)


def _option(option, text, match):
    if isinstance(option, dict):
        return option.get(text.strip(QUOTE), match)
    if option.endswith("="):
        return f"{option}{text}"
    values = [text[1:-1] if text[0] in QUOTE else text for text in re.findall(f"{QUOTED}|{PLAIN}", text)]
    if text.startswith("["):
        return " ".join(f"{option} {_quoted(value)}" for value in values)
    if len(values) == 1:
        return f"{option} {_quoted(values[0])}"
    return f"{option} {re.sub(QUOTED, lambda match: match[0][1:-1], text)}"


def _quoted(value):
    """Return a value as a shell takes it; a lone apostrophe stands in double quotation marks."""
    return f'"{value}"' if value == "'" else shlex.quote(value)
