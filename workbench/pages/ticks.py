"""Ticks of logarithmic axes that keep their distance, and labels as sentences print numbers.

Below two decades Bokeh's own are evenly spaced numbers, whose labels run into each other at the upper end,
and two of them alone, such as 2 and 5, are labelled as the powers of ten next to them.
"""

# Of the ladders from coarse to fine the first with three ticks: decades, then 1 and 3, then 1, 2 and 5.
TICKS = """
const [low, high] = [cb_data.start, cb_data.end].sort((a, b) => a - b);
if (!(low > 0) || !(high > low) || !Number.isFinite(high)) return [];
const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
const inside = (ticks) => ticks.filter((tick) => low <= tick * (1 + 1e-9) && tick <= high * (1 + 1e-9));
const decades = Array.from({ length: last - first + 1 }, (_, k) => first + k);
const ladder = (factors) => inside(decades.flatMap((k) => factors.map((each) => Number(`${each}e${k}`))));
const all = ladder([1]), every = Math.ceil(all.length / 9);
const powers = all.filter((tick) => Math.round(Math.log10(tick)) % every === 0);
const found = [powers, ladder([1, 3]), ladder([1, 2, 5])].find((ticks) => ticks.length > 2);
if (found) return found;
// Less than a decade: on so short an axis even steps lie far enough apart.
const unit = 10 ** Math.floor(Math.log10((high - low) / 3));
const step = unit * [5, 2, 1].find((each) => 3 * each * unit <= high - low);
const start = Math.ceil(low / step);
return inside(Array.from({ length: 12 }, (_, k) => Number(((start + k) * step).toPrecision(12))));
"""
# Powers of ten where all are; else digits, or digits and a power where those would be many.
LABELS = """
const raised = (k) => `10${String(k).replace(/[-\\d]/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit] ?? "⁻")}`;
const split = (x) => Number(x.toPrecision(12)).toExponential().split("e").map(Number);
const [factor, power] = split(tick), minus = tick < 0 ? "−" : "";
if (tick === 0) return "0";
if (ticks.every((each) => split(each)[0] === 1)) return power ? raised(power) : "1";
const top = Math.max(...ticks.filter((each) => each !== 0).map((each) => split(each)[1]));
const digits = Number(Math.abs(tick).toPrecision(12));
if (top > -4 && top < 5) return minus + digits.toLocaleString("en", { maximumFractionDigits: 9 });
return minus + (Math.abs(factor) === 1 ? "" : `${Math.abs(factor)}·`) + raised(power);
"""


def set_log_ticks(axis):
    """Give a logarithmic Bokeh axis these ticks and labels."""
    from bokeh.models import CustomJSTicker

    axis.ticker = CustomJSTicker(major_code=TICKS)
    set_labels(axis)


def set_labels(axis):
    """Give a Bokeh axis these labels, such as a linear one whose numbers may be tiny."""
    from bokeh.models import CustomJSTickFormatter

    axis.formatter = CustomJSTickFormatter(code=LABELS)
