"""The style of the gauge and of the fold below it."""


def css(look):
    """The style of the gauge and the fold, for a component of a page or for a file."""
    px, box = look.px, ".wb-certainty"
    return f"""
:host {{ height: max-content !important; }}
{box} {{
  background: {look.paper}; border: 1px solid {look.rule}; border-radius: 8px; padding: 8px 14px;
  margin: 0 0 12px; font-size: {px(13)}; line-height: 1.4; font-variant-numeric: tabular-nums;
}}
{box} p {{ margin: 0 0 6px; }}
{box} .ends {{
  display: flex; justify-content: space-between; gap: 0 10px; font-size: {px(12)}; color: {look.muted};
}}
{box} .ends b {{ color: {look.ink}; white-space: nowrap; }}
{box} .ends span {{ text-align: center; }}
{box} .track {{ position: relative; height: {px(16)}; background: {look.ground}; }}
{box} .fog {{
  position: absolute; top: 0; bottom: 0; min-width: 1px;
  background:
    radial-gradient(closest-side, {look.muted}70, transparent) 0 0 / {px(46)} {px(22)},
    radial-gradient(closest-side, {look.muted}50, transparent) {px(13)} {px(7)} / {px(64)} {px(26)},
    {look.muted}58;
}}
{box} .end {{ position: absolute; top: 0; bottom: 0; width: 0; }}
{box} .end.dual {{ border-left: 3px dotted {look.green}; margin-left: -3px; }}
{box} .end.primal {{ border-left: 3px solid {look.blue}; }}
{box} .fog, {box} .end {{ transition: left 0.3s, width 0.3s; }}
{box} svg {{ display: block; width: 100%; height: {px(12)}; fill: {look.rule}; opacity: 0.6; }}
{box} summary {{ color: {look.blue}; cursor: pointer; width: max-content; padding: 4px 0 0; }}
{box} details > div {{ padding-top: 6px; color: {look.muted}; }}
{box} .wb-scroll {{ overflow-x: auto; max-width: 620px; margin: 0 0 8px; color: {look.ink}; }}
{box} tr[data-sample]:hover, {box} .lit {{ background: {look.blue}33; }}
{box} .wb-sum th, {box} .wb-sum td {{ font-weight: 600; }}
"""
