"""What refuses a record or a file, and why.

For example:

    from pbem.records.invite import parse_invite
    with refused_for("grammar", "looks like savannah") as caught:
        parse_invite("no invite")
    assert caught.value.exit == 4
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pbem.format.record_error import RecordError


@contextmanager
def refused_for(
    reason: str, words: str | None = None, error: type[RecordError] = RecordError
) -> Iterator[pytest.ExceptionInfo[RecordError]]:
    """Fail unless the block raises this error, with this reason and a sentence that fits `words`,
    which are an expression as `pytest.raises` takes it."""
    with pytest.raises(error, match=words) as caught:
        yield caught
    assert caught.value.reason == reason
