"""`pbem run` looks at games in a store in each whole pass, not every two seconds."""

from pathlib import Path

import pytest

from pbem.files.game_folder_in_store import StoreFolder
from pbem.files.home import Home
from pbem.person.keyring import Keyring
from pbem.post.event_printer import Log
from pbem.post.run_passes import MailPasses, Runner
from tests.kit.people import Round


class Enough(Exception):
    """The test has seen enough passes."""


def test_a_store_is_asked_once_a_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rhea = Round(tmp_path).person("rhea")
    for place in ("memory://run/pond", "alps"):
        assert rhea.pbem(f"new {place} --players Ann,Bo").exit == 0
    asked: list[str] = []
    stamp, mail_passes = StoreFolder.fingerprint, MailPasses(Keyring(Home(rhea.home)), Log(False))
    monkeypatch.setattr(
        StoreFolder, "fingerprint", lambda self: asked.append("store") or stamp(self)
    )
    mail_passes.run_pass()
    looks = iter(range(5))

    def wait(_self: Runner, _seconds: float) -> bool:
        if next(looks, None) is None:
            raise Enough
        asked.append("look")
        return False

    monkeypatch.setattr(Runner, "_mail_came", wait)
    asked.clear()
    with pytest.raises(Enough):
        Runner(mail_passes, Log(False), 3600).run()
    assert asked[-5:] == ["look"] * 5
    assert "store" in asked
