"""One palette and one type scale for figures and pages; Okabe-Ito, told apart by dashes as well."""

BLUE, VERMILLION, GREEN, PURPLE, ORANGE = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00"
INK, MUTED, RULE, PAPER = "#1f2933", "#5f6b7a", "#d9dee5", "#ffffff"
FONT = "system-ui, 'Noto Sans', 'Segoe UI', sans-serif"

CSS = f"""
:host, body {{ font-family: {FONT}; color: {INK}; }}
.wb-stats {{ display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 8px; }}
.wb-stat {{
  background: {PAPER}; border: 1px solid {RULE}; border-radius: 8px; padding: 8px 12px; min-height: 64px;
}}
.wb-stat b {{
  display: block; font-size: 17px; line-height: 1.3; font-variant-numeric: tabular-nums; white-space: nowrap;
}}
.wb-stat span {{ font-size: 12px; color: {MUTED}; white-space: nowrap; }}
.wb-stat em {{ font-size: 12px; font-style: normal; color: #00704f; font-weight: 600; white-space: nowrap; }}
.wb-line {{ font-size: 12.5px; color: {MUTED}; padding: 0 12px 10px; min-height: 18px; }}
.wb-card-title {{ font-size: 14px; font-weight: 600; padding: 12px 12px 4px; }}
.wb-key {{ font-size: 12px; font-weight: 400; color: {MUTED}; white-space: nowrap; }}
.wb-key i {{ display: inline-block; width: 22px; vertical-align: middle; margin: 0 5px 3px 12px; }}
.wb-note {{ font-size: 13px; color: {MUTED}; }}
.wb-badge {{
  display: inline-block; border-radius: 10px; padding: 2px 9px; font-size: 12px; font-weight: 600;
}}
.wb-badge.free {{ background: #dff3ec; color: #005c42; }}
.wb-badge.clip {{ background: #fbe7da; color: #8f3f00; }}
.wb-source {{ font-size: 12px; color: {MUTED}; }}
.wb-code {{
  background: #1f2933; color: #f3f5f8; border-radius: 6px; padding: 12px; margin: 0;
  font: 12px/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; white-space: pre-wrap; overflow-wrap: anywhere;
}}
.wb-status {{ font-size: 13px; color: {MUTED}; }}
.wb-status.bad {{ color: #8f3f00; font-weight: 600; }}
"""

# Material's defaults speak in capitals and tall bars; a teaching page needs the room for figures.
MUI = {
    "palette": {"primary": {"main": BLUE}, "background": {"default": "#f6f7f9"}},
    "typography": {"fontFamily": FONT, "fontSize": 13, "button": {"textTransform": "none"}},
    "components": {
        "MuiAppBar": {
            "styleOverrides": {
                "root": {
                    "backgroundColor": PAPER, "color": INK, "boxShadow": "none",
                    "borderBottom": f"1px solid {RULE}",
                    "& .MuiTypography-root, & .title": {"color": INK, "fontSize": "18px", "fontWeight": 600},
                }
            }
        },
        "MuiToolbar": {"styleOverrides": {"root": {"minHeight": "52px !important"}}},
    },
}  # fmt: skip
