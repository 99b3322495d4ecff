"""A folder in any store for which fsspec has a library, such as `gs://`."""

from __future__ import annotations

import logging
import threading
from datetime import datetime

import fsspec

from pbem.files.file_errors import StorageError
from pbem.files.fsspec_store import FsspecStore
from pbem.files.store_interface import BILLION, Entry, connection_for

logging.getLogger("asyncio").addHandler(logging.NullHandler())  # pbem reports its troubles itself


def open_store(address: str) -> AnyFsspecStore:
    """Return the folder at an address. Raises StorageError if fsspec has no library for it."""
    scheme, _, address_path = address.partition("://")
    try:
        kind = fsspec.get_filesystem_class(scheme)
    except (ImportError, ValueError):
        sentence = f"no library for {scheme}:// is installed; pbem is tested with s3:// and sftp://"
        raise StorageError(address, sentence) from None
    options = kind._get_kwargs_from_urls(address)
    # most libraries do not say whether two threads may use a connection at the same time
    key = (scheme, address_path.partition("/")[0], threading.get_ident())
    files = connection_for(
        key, lambda: fsspec.filesystem(scheme, skip_instance_cache=True, **options)
    )
    return AnyFsspecStore(files, kind._strip_protocol(address))


class AnyFsspecStore(FsspecStore):
    """A folder in any store that fsspec opens, whose writers claim each name first."""

    def list_folder(self, place: str) -> list[Entry]:
        """List what is in the folder or in one of its places. Raises FileNotFoundError and
        others."""
        path = self._full_path(place)
        self.files.invalidate_cache()
        file_infos = self.files.ls(path, detail=True, **self._timed)
        entries = []
        for file_info in file_infos:
            full_name = str(file_info["name"]).rstrip("/")
            kind = {"file": "file", "directory": "folder", "link": "link"}.get(file_info["type"])
            times = (
                file_info[key] for key in ("LastModified", "mtime", "created") if key in file_info
            )
            time_ = next(times, 0)
            seconds = time_.timestamp() if isinstance(time_, datetime) else float(time_ or 0)
            tag = next(
                (str(file_info[key]) for key in ("ETag", "etag", "md5Hash") if key in file_info), ""
            )
            size, name = int(file_info["size"] or 0), full_name.rpartition("/")[2]
            if full_name != path:  # the name of an object that represents the folder itself
                entries.append(Entry(name, kind or "special", size, int(seconds * BILLION), tag))
        return entries

    def get(self, path: str, max_bytes: int) -> bytes:
        full_path = self._full_path(path)
        return bytes(self.files.cat_file(full_path, start=0, end=max_bytes, **self._timed))
