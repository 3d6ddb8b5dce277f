"""The figures of Your data: held-out rows, the largest weights, the gap, and the choice of lambda."""

from typing import ClassVar

from workbench.pages.drawing import AXES, Drawing, dots, figure, glyph, line, rule
from workbench.pages.theme import LIGHT, Look

TABLE = {
    "tests": figure(
        "Rows that the model has not seen",
        "true",
        "prediction",
        rule("width", "muted", line_alpha=0.6),
        line("diagonal", "x", "y", "muted", "dotted"),
        dots("right", "x", "y", 7, marker="circle", color="blue", fill_alpha=0.5),
        dots("wrong", "x", "y", 9, marker="x", color="vermillion", line_width=Look.line),
        glyph(
            "text",
            "label_names",
            "x",
            "y",
            "text",
            text_align="center",
            text_color="ink",
            text_font_size="13px",
        ),
        x_range=(0, 1),
        y_range=(0, 1),
    ),
    "weights": figure(
        "The largest weights",
        "standardized weight",
        "rank",
        AXES[1],
        glyph("segment", "weights", "zero", "rank", "weight", "rank", color="blue", line_width=2.0),
        dots("weights", "weight", "rank", 8, marker="circle", color="blue", tip=True),
        glyph(
            "text",
            "feature_names",
            "x",
            "rank",
            "text",
            text_baseline="middle",
            text_color="ink",
            text_font_size="12px",
        ),
        tips=(("feature", "@feature"), ("label", "@label"), ("weight", "@weight{0.0000}")),
        x_range=(0, 1),
        y_range=(0, 1),
        grid=False,
    ),
    "gap": figure(
        "How far from the best possible",
        "epoch",
        "relative gap",
        line("gap", "epoch", "gap", "orange"),
        dots("gap", "epoch", "gap", 6, marker="circle", color="orange"),
        x_range=(0, 1),
        y_range=(1e-6, 1),
        y_axis_type="log",
    ),
    "path": figure(
        "Cross-validation chooses λ",
        "λ",
        "held-out loss",
        glyph("segment", "path", "lam", "low", "lam", "high", color="purple", line_width=1.4),
        line("path", "lam", "loss", "purple"),
        dots("path", "lam", "loss", 6, marker="circle", color="purple"),
        glyph("vspan", "chosen", "lam", line_color="ink", line_dash="dotted", line_width=1.4),
        x_range=(1e-6, 1),
        y_range=(0, 1),
        x_axis_type="log",
    ),
}


class YourDataDrawing(Drawing):
    """The figures, which the page's frame fills; the first ones share the window with a table."""

    table, heights = TABLE, (150, 12, 230)
    columns: ClassVar = {"weights": ("feature", "label")}

    def __init__(self, look=LIGHT):
        super().__init__(look)
        self.figures["weights"].yaxis.major_label_text_font_size = "0px"
