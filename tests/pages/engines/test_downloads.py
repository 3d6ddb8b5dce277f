"""Test what the buttons of a figure save: one tidy table, and a picture with its title, key and address."""

import csv
import io
import json
import subprocess
from xml.etree import ElementTree

import pytest

from tests.helpers.node_engine import module_script
from workbench.pages import bundling

NODE = bundling.node()
pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
# Renderers as BokehJS has them: what a glyph reads stands in `field`.
RENDERERS = """[
  {name: null, visible: true, glyph: {type: "Line", x: {field: "step"}, y: {field: "gap"}},
   data_source: {data: {step: [0, 1], gap: [0.5, NaN], primal: [1, 2]}}},
  {name: null, visible: true,
   glyph: {type: "Scatter", x: {field: "place"}, y: {field: "weight"}, size: {value: 6}},
   data_source: {data: {place: [0], weight: [-1.5], name: ['mean "area", worst'], colour: ["#000"]}}},
  {name: "twice", visible: true, glyph: {type: "Scatter", x: {field: "step"}, y: {field: "gap"}},
   data_source: {data: {step: [0, 1], gap: [0.5, NaN], primal: [1, 2]}}},
  {name: "hidden", visible: false, glyph: {type: "Line", x: {field: "x"}, y: {field: "y"}},
   data_source: {data: {x: [9], y: [9]}}},
  {name: "margin", visible: true, glyph: {type: "MultiLine", xs: {field: "xs"}, ys: {field: "ys"}},
   data_source: {data: {xs: [[0, 1], [2, 3]], ys: [[4, 5], [6, 7]], dash: ["solid", "dashed"]}}},
  {name: "bracket", visible: true,
   glyph: {type: "Segment", x0: {field: "k"}, y0: {field: "low"}, x1: {field: "k"}, y1: {field: "high"}},
   data_source: {data: {k: [3], low: [1], high: [2]}}},
  {name: "map", visible: true, glyph: {type: "Image", image: {field: "image"}},
   data_source: {data: {image: [[[1, 2], [3, 4]]], x: [0], y: [0], dw: [2], dh: [4]}}},
]"""


def run(program):
    command = [NODE, "-e", f"{module_script('runtime/save')}\nconsole.log(JSON.stringify({program}));"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)


def test_a_figure_is_one_table():
    rows = list(csv.DictReader(io.StringIO(run(f"table({RENDERERS})"))))
    assert list(rows[0])[:3] == ["curve", "x", "y"]
    assert not any(None in row for row in rows)
    by_curve = {}
    for row in rows:
        by_curve.setdefault(row["curve"], []).append(row)
    assert list(by_curve) == ["gap", "weight", "margin", "bracket", "map"]
    assert [(row["x"], row["y"], row["primal"]) for row in by_curve["gap"]] == [
        ("0", "0.5", "1"),
        ("1", "NaN", "2"),
    ]
    assert by_curve["weight"][0]["name"] == 'mean "area", worst'
    assert "colour" not in rows[0]
    assert [(row["part"], row["x"], row["y"]) for row in by_curve["margin"]] == [
        ("0", "0", "4"),
        ("0", "1", "5"),
        ("1", "2", "6"),
        ("1", "3", "7"),
    ]
    assert [row["y"] for row in by_curve["bracket"]] == ["1", "2"]
    assert [(row["x"], row["y"], row["value"]) for row in by_curve["map"]] == [
        ("0.5", "1", "1"),
        ("1.5", "1", "2"),
        ("0.5", "3", "3"),
        ("1.5", "3", "4"),
    ]


def test_a_picture_says_what_it_is():
    head = {
        "title": "Gap & bound",
        "address": "http://x/dual-lab?lam=0.1&seed=<7>",
        "ink": "#111",
        "paper": "#fff",
        "key": [
            {"text": "raw", "dash": "dotted", "colour": "rgb(1, 2, 3)"},
            {"text": "repaired", "dash": "solid", "colour": "#0072b2"},
        ],
    }
    inside = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><circle r="4"/></svg>'
    text = run(f"framed({json.dumps(inside)}, {{width: 300, height: 200}}, {json.dumps(head)})")
    tree = ElementTree.fromstring(text)
    said = [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert said == ["Gap & bound", "raw", "repaired", "http://x/dual-lab?lam=0.1&seed=<7>"]
    strokes = [node.get("stroke-dasharray") for node in tree.iter("{http://www.w3.org/2000/svg}path")]
    assert strokes == ["2 3", ""]
    assert len(list(tree.iter("{http://www.w3.org/2000/svg}circle"))) == 1
    assert int(tree.get("height")) > 200
