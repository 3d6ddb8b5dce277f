"""The recorded races of Compare.

python -m workbench.pages.compare.recording     race the presets anew
"""

import contextlib
import json

from workbench._support.errors import InputError
from workbench.pages.compare import model as compare
from workbench.pages.compare.declaration import Compare
from workbench.pages.compare.races import COURSE, FILE, course
from workbench.pages.wording import content
from workbench.studies import race

# Digits of a recorded number.
DIGITS = 4


def _record(settings):
    """Run a race and keep of each contestant the fastest fit with each setting; None where one has no fit."""
    events = list(race.run(**course(settings)))
    fits = {}
    for event in events[1:-1]:
        place = event["name"], event["setting"]
        fits[place] = min(event, fits.get(place, event), key=lambda fit: fit["seconds"])
    if {name for name, _ in fits} != set(events[0]["names"]):
        return None
    numbers = ("setting", "seconds", "relative", "gap")
    rows = [
        {"kind": "fit", "name": fit["name"]} | {name: float(f"{fit[name]:.{DIGITS}g}") for name in numbers}
        for fit in fits.values()
    ]
    start = {name: events[0][name] for name in ("kind", "names", "absent", "n", "d")}
    return {"settings": {name: settings[name] for name in COURSE}, "events": [start, *rows, events[-1]]}


def main():
    """Record the races of the presets that have one."""
    races = {}
    for preset in content("compare")["presets"].values():
        if preset.get("source", compare.TOGETHER) in compare.sources():
            settings = Compare(**preset).settings()
            with contextlib.suppress(InputError):
                key = json.dumps([settings[name] for name in COURSE])
                races[key] = races.get(key) or _record(settings)
    rows = (json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in races.values() if entry)
    FILE.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
