"""The game folder of the sample's charter, as what arrives by mail is filed in it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.files.game_folder import Folder
from pbem.mail.record_filing import RecordFiler
from pbem.records.read_and_sign_record import Record
from tests.kit.record_files import put_record
from tests.kit.sample_records import sample


@pytest.fixture
def filer_with(tmp_path: Path) -> Callable[..., RecordFiler]:
    """A filer in a folder that has these records."""

    def make_filer(*records: Record) -> RecordFiler:
        filer = RecordFiler(Folder(tmp_path / "savannah"), sample().charter)
        for record in records:
            put_record(filer.folder, record)
        return RecordFiler(Folder(tmp_path / "savannah"))

    return make_filer
