"""Messages for characters that cannot stand in a formula."""

import unicodedata

FIXES = {
    "|": "write abs(u)",
    "=": "an equality is written ==, and less or equal <=",
    "!": "write != for unequal; factorials are not supported",
    **dict.fromkeys("[]{}", "write ( and )"),
    "&": "write and",
    "~": "write not",
    "%": "remainders are not supported; write a fraction such as 5/100",
    **dict.fromkeys("'\"", "a formula holds no text; leave the quotes out"),
    "\\": "LaTeX is not read; write exp(u) or sqrt(u)",
    "$": "LaTeX is not read; leave the dollar signs out",
    ".": "a point belongs into a number such as 0.5; write * for a product",
    ":": "leave it out; pieces are written piecewise((u, u > 0), (0, True))",
    ";": "leave it out; a formula is one expression",
    "#": "leave the remark out",
    "@": "write * for a product",
    **dict.fromkeys("\n\r", "a formula stands on one line; leave the line break out"),
}
# Look-alikes whose compatibility form is missing or means something else.
SPELLINGS = {
    "−–—‐‑‒": "-",
    "×·⋅∙•∗": "*",
    "÷∕⁄": "/",
    "≤≦⩽": "<=",
    "≥≧⩾": ">=",
    "≠": "!=",
    "∞": "oo",
    "∨": "or",
    "∧": "and",
    "¬": "not",
    "√": "sqrt(...)",
    "∈": "a condition such as 0 <= u",
    "‖": "abs(...)",
    "‘’“”": "nothing: a formula holds no text",
    "λ": "lam (lambda is a keyword of Python)",
    "µ": "mu",
    "ϵ": "epsilon",
    "ϕ": "phi",
    "½": "1/2",
    "¼": "1/4",
    "¾": "3/4",
    "ℝ": "real",
}
_SPELLED = {character: plain for group, plain in SPELLINGS.items() for character in group}
_SPELLED |= dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", (f"**{k}" for k in range(10)), strict=True))
_SPELLED |= dict(zip("₀₁₂₃₄₅₆₇₈₉", (f"_{k}" for k in range(10)), strict=True))
# Cyrillic letters that look exactly like Latin ones.
_SPELLED |= dict(zip("аеорсухіјѕԁԛԝАВЕЅІЈКМНОРСТХ", "aeopcyxijsdqwABESIJKMHOPCTX", strict=True))


def character_fault(text, place):
    """Return the fault of the character at a place of a text, and the text to write instead."""
    character = text[place]
    if text[place : place + 2] in ("=<", "=>"):
        return (
            f"{text[place : place + 2]} is not a comparison; write {'<=' if text[place + 1] == '<' else '>='}"
        )
    if character.isascii():
        return f"{character!a} cannot stand in a formula; {FIXES.get(character, 'leave it out')}"
    return f"{_with_name(character)} is not ASCII; write {_spelling(character)}"


def _with_name(character):
    name = unicodedata.name(character, f"U+{ord(character):04X}")
    return f"{character} ({name})" if character.isprintable() and not character.isspace() else name


def _spelling(character):
    if character in _SPELLED:
        return _SPELLED[character]
    # Full-width and mathematical letters have a plain form; Greek letters go by their names.
    plain = unicodedata.normalize("NFKC", character)
    if plain in _SPELLED:
        return _SPELLED[plain]
    if plain.isspace():
        return "a plain space"
    if plain.isascii() and plain.isprintable():
        return plain
    words = unicodedata.name(plain[0], "").split()
    if words[:1] == ["GREEK"] and "LETTER" in words:
        letter = words[words.index("LETTER") + 1].replace("LAMDA", "LAM")
        return letter.capitalize() if "CAPITAL" in words else letter.lower()
    return "it with ASCII characters only"
