"""How objects show themselves: HTML for notebooks and reports, drawings as SVG, figures of HoloViews."""
