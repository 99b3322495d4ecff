"""The deputy's box holds 64 bytes of secrets, 96 in mode `dealers`, and no other number."""

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.referee_secrets import open_secrets, seal_secrets

KEY = bytes(range(32))


def test_the_two_secrets_come_out_as_they_went_in():
    box = seal_secrets(KEY, b"r" * 32 + b"a" * 32)
    assert open_secrets(KEY, box) == (b"r" * 32, b"a" * 32, b"")
    box = seal_secrets(KEY, b"r" * 32 + b"a" * 32 + b"s" * 32)
    assert open_secrets(KEY, box) == (b"r" * 32, b"a" * 32, b"s" * 32)


@pytest.mark.parametrize("length", [0, 32, 63, 65, 95, 97])
def test_a_box_of_another_length_is_refused(length: int):
    with pytest.raises(RecordError, match="does not contain the referee's secrets"):
        open_secrets(KEY, seal_secrets(KEY, b"s" * length))
