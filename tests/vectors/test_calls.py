"""Known answers about call requests, which a second implementation checks too."""

import json
import re
import subprocess
import sys

from tests.vectors import make_calls
from tests.vectors.make import HERE


def test_each_faulty_call_is_refused_for_its_own_reason() -> None:
    cases = make_calls.cases()
    assert [make_calls.call_refusal(data) for _, data in cases] == [reason for reason, _ in cases]
    assert make_calls.made_request() == cases[0][1]


def test_the_stored_vectors_of_calls_are_those_that_the_code_makes() -> None:
    assert json.loads(make_calls.FILE.read_text("ascii")) == make_calls.call_vectors()


def test_a_second_implementation_accepts_and_refuses_the_same_calls() -> None:
    source = (HERE / "second_calls.py").read_text("utf-8")
    assert not re.search(r"(?m)^\s*(import|from) (pbem|tests)", source)
    script = [sys.executable, HERE / "second_calls.py", make_calls.FILE]
    done = subprocess.run(script, capture_output=True, check=False, text=True)
    said = "right: 4 call requests are taken, 31 are refused\n"
    assert (done.stdout, done.stderr) == (said, "")
