"""What is recorded about the tests themselves names files that exist, each by a name of its own."""

import json
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MUTANTS = json.loads((ROOT / "tests/corpora/golden/mutants.json").read_text(encoding="utf-8"))


def test_test_files_have_names_of_their_own():
    counts = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in counts.items() if count > 1] == []


def test_mutants_are_of_files_that_exist():
    files = {mutant["file"] for mutant in MUTANTS}
    killers = {mutant["killer"].partition("::")[0] for mutant in MUTANTS if "killer" in mutant}
    missing = sorted(name for name in files | killers if not (ROOT / name).exists())
    assert missing == [], "run: python tests/long/mutation.py --record"
