"""The deputy's box holds 64 bytes of secrets, 96 in mode `dealers`, and no other number."""

from dataclasses import replace

import pytest

from pbem.format.encrypted_box import box_key
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets
from pbem.judge.referee_secrets import open_secrets, referee_secrets, seal_secrets
from tests.kit.played_games import Played, played_key
from tests.kit.record_files import refusal_by

KEY = bytes(range(32))


def test_the_secrets_of_the_deputy_s_box_come_out_as_they_went_in():
    box = seal_secrets(KEY, b"r" * 32 + b"a" * 32)
    assert open_secrets(KEY, box) == (b"r" * 32, b"a" * 32, b"")
    box = seal_secrets(KEY, b"r" * 32 + b"a" * 32 + b"s" * 32)
    assert open_secrets(KEY, box) == (b"r" * 32, b"a" * 32, b"s" * 32)


@pytest.mark.parametrize("length", [0, 32, 63, 65, 95, 97])
def test_a_box_of_another_length_is_refused(length: int):
    with pytest.raises(RecordError, match="does not contain the referee's secrets"):
        open_secrets(KEY, seal_secrets(KEY, b"s" * length))


def test_the_box_for_the_deputy_opens_for_the_deputy_alone_and_must_be_right(tmp_path):
    dee = played_key("Dee")
    game = Played(tmp_path / "g", deputy=dee).play(1)
    charter, first = game.charter.content, game.turns[0].content
    ident, secrets = game.game_folder.game, game.made.secrets
    assert referee_secrets(charter, ident, first, dee) == secrets
    assert referee_secrets(charter, ident, None, game.referee) == secrets
    reason, sentence = refusal_by(referee_secrets, charter, ident, first, played_key("Ann"))
    assert (reason, "only the referee Ref and the deputy Dee can" in sentence) == ("key", True)
    key = box_key(Secrets(dee.seed).deputy(), charter.audit, ident)
    for wrong in (
        secrets.r_ref + bytes(32), bytes(32) + secrets.audit, secrets.audit + secrets.r_ref,
    ):  # fmt: skip
        lie = replace(first, deputy=seal_secrets(key, wrong))
        assert refusal_by(referee_secrets, charter, ident, lie, dee)[0] == "commitment", wrong
