"""The race: our solvers against others, by benchopt: python benchmarks/benchopt/race.py [COURSE ...].

Prints the cells, and writes docs/results.json if all courses ran. P* is the best value that anyone reached at
any tolerance. A cell has the seconds of everyone's loosest tolerance that brings (P - P*) / |P*| to its mark,
medians over the repetitions; its ratio is the fastest peer's over ours.
"""

import datetime
import itertools
import json
import os
import platform
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
COURSES = tomllib.loads((HERE / "courses.toml").read_text("utf-8"))
RESULTS, OUTPUT = HERE.parents[1] / "docs/results.json", HERE.parents[1] / "build/race"
REPETITIONS, RUNGS = 3, 25
DEFAULTS = {"regularizer": ["squared-l2"], "bias": [False]}
RULES = (
    "Our seconds hold the Problem from the peer's own arrays, the solver and the certificates that stop it; "
    "all are seconds of the processor, on one thread. Compilation comes before and is in the notes. Everyone "
    "gets the loosest tolerance that reaches the mark."
)


def task(data, objective):
    """Return the name of a cell's task."""
    words = " ".join(str(word) for word in data if word)
    bias = ", free bias" if objective["bias"] else ""
    return f"{words}, {objective['loss']}, {objective['regularizer']}, lam={objective['lam']}{bias}"


def cells(course):
    """Yield the task and the mark of each cell of a course."""
    ((source, data),), objective = course["data"].items(), DEFAULTS | course["objective"]
    for values in itertools.product(*data.values()):
        for choice in itertools.product(*objective.values()):
            name = task((source, *values), dict(zip(objective, choice, strict=True)))
            yield from ((name, mark) for mark in course["marks"])


def measured(name):
    """Run a course by benchopt; returns its frame."""
    import pandas as pd
    from benchopt import run_benchmark

    course = COURSES[name]
    (OUTPUT / f"{name}.parquet").unlink(missing_ok=True)  # else benchopt writes beside it
    path = run_benchmark(
        HERE,
        solver_names=[{"workbench": {"solver": [course["ours"]]}}, *course["peers"]],
        dataset_names=[course["data"]],
        objective_filters=[{"race": course["objective"] | {"mark": [min(course["marks"])]}}],
        max_runs=RUNGS,
        n_repetitions=REPETITIONS,
        plot_result=False,
        show_progress=False,
        no_cache=True,
        output_file=str(OUTPUT / name),
    )
    return pd.read_parquet(path)


def rows(frame, course):
    """Yield the cells of a course, as docs/results.json has them."""
    (source,) = course["data"]
    for _, runs in frame.groupby(["dataset_name", "objective_name"], sort=False):
        first, best = runs.iloc[0], float(runs["objective_best"].min())
        data = [source, *(first[f"p_dataset_{name}"] for name in course["data"][source])]
        objective = {name: first[f"p_obj_{name}"] for name in ("loss", "regularizer", "lam", "bias")}
        for mark in course["marks"]:
            row = {"task": task(data, objective), "mark": mark, "seconds": {}, "tolerances": {}}
            late = []
            for solver, points in runs.groupby("solver_name", sort=False):
                enough = points[points["objective_value"] <= best + mark * abs(best)]
                if enough.empty:
                    late.append(solver)
                    continue
                loosest = enough[enough["stop_val"] == enough["stop_val"].max()]
                row["seconds"][solver] = float(loosest["objective_seconds"].median())
                row["tolerances"][solver] = min(float(loosest["stop_val"].iloc[0]), 1.0)
            yield (
                row
                | compared(row["seconds"])
                | {
                    "notes": {
                        "P*": best,
                        "P* above a lower bound by": (best - float(runs["objective_bound"].max()))
                        / abs(best),
                        "preparation seconds, compilation included": float(
                            runs["objective_preparation"].max()
                        ),
                        "did not reach the mark": late,
                    }
                }
            )


def compared(seconds):
    """Return the ratio of the fastest peer's seconds to ours, and who that is."""
    ours = [name for name in seconds if name.startswith("workbench")]
    peers = [name for name in seconds if name not in ours]
    if not ours or not peers:
        return {"ratio": None, "against": ""}
    fastest = min(peers, key=seconds.get)
    return {"ratio": seconds[fastest] / seconds[ours[0]], "against": fastest}


def line(row):
    """Return a cell as a line of the table."""
    times = ", ".join(f"{name} {1e3 * seconds:.1f} ms" for name, seconds in row["seconds"].items())
    ratio = f"{row['ratio']:6.2f} {row['against']}" if row["ratio"] else "     -"
    late = "".join(f"; {name} did not reach the mark" for name in row["notes"]["did not reach the mark"])
    return f"{row['task']:<64} {row['mark']:<7g}{ratio}: {times}{late}"


def main(names):
    """Run courses, print their cells, and keep them if these are all."""
    unknown = sorted(set(names) - set(COURSES))
    if unknown:
        sys.exit(f"unknown course {', '.join(unknown)}; expected some of {', '.join(COURSES)}")
    from workbench._support.system import resources

    os.environ.update(resources.ONE_THREAD)  # before anything loads what reads them
    reached = [row for name in names or COURSES for row in rows(measured(name), COURSES[name])]
    print("\n".join(["task, mark, ratio against the fastest peer: seconds", *map(line, reached)]))
    if set(names or COURSES) < set(COURSES):
        print(f"{RESULTS.name} stays: it has all courses or none")
        return
    write(reached)


def write(reached):
    """Keep all cells in docs/results.json, with the names of those that are missing."""
    expected = [cell for course in COURSES.values() for cell in cells(course)]
    there = {(row["task"], row["mark"]) for row in reached if row["ratio"]}
    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
    record = json.loads(RESULTS.read_text("utf-8"))
    record["race"] = {
        "date": datetime.date.today().isoformat(),
        "machine": f"{machine}Python {platform.python_version()}",
        "command": "make race",
        "rules": RULES,
        "missing": [f"{task}, mark {mark:g}" for task, mark in expected if (task, mark) not in there],
        "rows": reached,
    }
    RESULTS.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
