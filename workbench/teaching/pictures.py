"""Pictures that need no script and no network: formulas and figures as PNG.

Matplotlib is imported inside the functions, since checkers run without it.
"""

import io
import re

# What mathtext calls by another name, or has not.
SPELLED = (
    (r"\\text\{([^{}]*)\}", lambda found: r"\mathrm{" + found[1].replace(" ", r"\ ") + "}"),
    (r"\\operatorname\s*\{(\w+)\}", r"\\mathrm{\1}\\,"),
    (r"\\tfrac\b", r"\\frac"),
    (r"\\[lr]Vert\b", r"\\Vert"),
    (r"\\le\b", r"\\leq"),
    (r"\\ge\b", r"\\geq"),
)
DOTS_PER_INCH = 110


def formula(latex):
    """A formula in LaTeX's math mode, set as a PNG on white.

    Parameters
    ----------
    latex : str
        One line, as `Erratum.printed`.

    Returns
    -------
    bytes
    """
    from matplotlib import mathtext
    from matplotlib.font_manager import FontProperties

    for spelled, known in SPELLED:
        latex = re.sub(spelled, known, latex)
    kept = io.BytesIO()
    mathtext.math_to_image(f"${latex}$", kept, FontProperties(size=12), DOTS_PER_INCH, "png")
    return kept.getvalue()
