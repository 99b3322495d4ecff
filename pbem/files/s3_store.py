"""A folder in a store that speaks S3, over a session that limits the size of each answer."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Collection, Iterator
from typing import Any, Final

from aiobotocore.httpsession import AIOHTTPSession
from fsspec.asyn import sync
from s3fs import S3FileSystem

from pbem.files import store_answer_limits
from pbem.files.fsspec_store import CLAIMED_SENTENCE, MAX_TRIES, FsspecStore
from pbem.files.store_errors import code_of
from pbem.files.store_interface import BILLION, BusyError, Entry, connection_for
from pbem.format.canonical_toml import MAX_BYTES

RECHECK_SECONDS: Final = 600
"""Seconds after which a program that runs on tries again whether a store honours conditions."""

logging.getLogger("asyncio").addHandler(logging.NullHandler())  # pbem reports its troubles itself


def open_store(address: str, ignores_conditions: bool = False) -> ObjectStore:
    """Return the folder at an address; for `ignores_conditions`, see ObjectStore."""
    settings = sorted(item for item in os.environ.items() if item[0].startswith("AWS_"))
    files = connection_for(("s3", *settings), make_file_system)
    return ObjectStore(files, address.partition("://")[2], ignores_conditions)


class _Session(AIOHTTPSession):  # type: ignore[misc]
    """The library's HTTP session, which would read any answer whole, however long it is."""

    async def send(self, request: Any) -> Any:
        """Send a request; read the answer, except the contents of a file. Raises TooMuchError.

        The library asks for a stream only where it wants a file. Here it always gets one, and this
        method reads the short answers itself, up to a limit.
        """
        is_file, request.stream_output = request.stream_output, True
        answer = await super().send(request)
        if not is_file or answer.status_code >= 300:
            answer._content = await _read_body(answer.raw)
        return answer


async def _read_body(raw: Any) -> bytes:
    data = bytearray()
    async for part in raw.content.iter_any():
        data += part
        if len(data) > store_answer_limits.MAX_XML_BYTES:
            raw.close()
            raise store_answer_limits.TooMuchError
    return bytes(data)


def make_file_system() -> S3FileSystem:
    """Make an fsspec file system for the store that the environment names."""
    files = S3FileSystem(
        skip_instance_cache=True,
        use_listings_cache=False,
        config_kwargs={
            "connect_timeout": store_answer_limits.CONNECT_SECONDS,
            "read_timeout": store_answer_limits.SILENCE_SECONDS,
            "retries": {"max_attempts": 1},  # botocore does not try again: s3fs does
            "http_session_cls": _Session,
        },
    )
    files.retries = 2
    return files


class ObjectStore(FsspecStore):
    """A folder in an S3 bucket: a put has the condition that the name is free.

    Some stores that speak S3 ignore conditions, so each command tries it first; then claims
    are used.
    """

    is_parallel = has_flat_names = True

    def __init__(self, files: Any, root: str, ignores_conditions: bool = False) -> None:
        """Prepare the store; `ignores_conditions` says whether it was seen to ignore conditions."""
        super().__init__(files, root)
        self.ignores_conditions, self._honours_until = ignores_conditions, 0.0
        self._bucket, self._prefix, _ = files.split_path(self.root)

    def list_folder(self, place: str) -> list[Entry]:
        infos = self._files(f"{place}/".lstrip("/"), Delimiter="/")
        return [entry._replace(name=entry.name.rpartition("/")[2]) for entry in infos]

    def list_entries(self, places: Collection[str]) -> Iterator[tuple[str, Entry]]:
        """Yield path and entry of all files, 1,000 a request, and of the folders in their names.

        A bucket has no empty folders.
        """
        folders, empty = set[str](), True
        for entry in self._files(""):
            empty = False
            parts = entry.name.split("/")
            depth = 2 if parts[0] in places else 1
            if len(parts) <= depth and parts[-1]:
                yield entry.name, entry._replace(name=parts[-1])
            elif len(parts) > depth and parts[depth - 1]:
                folders.add("/".join(parts[:depth]))
            if depth == 2:
                folders.add(parts[0])
        if empty:
            raise FileNotFoundError(self.root)
        for path in folders:
            yield path, Entry(path.rpartition("/")[2], "folder", 0, 0, "")

    def folder_names(self) -> list[str]:
        paths = self.files.ls(self.root, detail=False)
        return [str(path).rstrip("/").rpartition("/")[2] for path in paths]

    def _files(self, prefix: str, **options: str) -> Iterator[Entry]:
        """Yield every object whose name begins with this prefix, page by page, with its name inside
        the folder. Raises SlowError, TooManyFilesError, within the limits for the whole list."""
        full_prefix, end_time, count = (
            f"{self._prefix}/{prefix}",
            time.monotonic() + store_answer_limits.ANSWER_SECONDS,
            0,
        )
        while True:
            seconds_left = end_time - time.monotonic()
            if seconds_left <= 0:
                raise store_answer_limits.SlowError
            query = {"Bucket": self._bucket, "Prefix": full_prefix, **options}
            page = self.files.call_s3("list_objects_v2", timeout=seconds_left, **query)
            for info in page.get("Contents", []):
                count += 1
                if count > store_answer_limits.MAX_FILES:
                    raise store_answer_limits.TooManyFilesError
                stamp = int(info["LastModified"].timestamp() * BILLION)
                name = info["Key"].removeprefix(f"{self._prefix}/")
                yield Entry(name, "file", int(info["Size"]), stamp, str(info["ETag"]))
            if not page.get("IsTruncated"):
                return
            options["ContinuationToken"] = page["NextContinuationToken"]

    def get(self, path: str, max_bytes: int) -> bytes:
        """Return the first bytes of a file, at most `max_bytes`."""
        try:
            return bytes(sync(self.files.loop, self._get, path, max_bytes, **self._timed))
        except OSError as error:
            if code_of(error) not in ("InvalidRange", "416"):
                raise
            return b""  # S3 cannot send a part of an empty file

    async def _get(self, path: str, max_bytes: int) -> bytearray:
        """Read the first bytes of a file; a store that ignores the range may send all of it."""
        query = {"Bucket": self._bucket, "Key": f"{self._prefix}/{path}"}
        response = await self.files._call_s3(
            "get_object", Range=f"bytes=0-{max_bytes - 1}", **query
        )
        body, data = response["Body"], bytearray()
        try:
            while len(data) < max_bytes and (part := await body.read(max_bytes - len(data))):
                data += part
        finally:
            body.close()
        return data

    def write_new(self, path: str, data: bytes) -> None:
        if not self.ignores_conditions and not self._honours:
            self._try("game.toml")
        if self.ignores_conditions or not self._put_if_free(path, data):
            super().write_new(path, data)
        elif not self._honours:  # there was no file to try it with before
            self._try(path)

    @property
    def _honours(self) -> bool:
        return time.monotonic() < self._honours_until

    def _try(self, path: str) -> None:
        """Test the store: it must refuse an existing file, put again with the same bytes."""
        try:
            data = self.get(path, MAX_BYTES + 1)
            if len(data) <= MAX_BYTES:
                self._put_if_free(path, data)
            self.ignores_conditions = True
        except FileExistsError:
            self._honours_until = time.monotonic() + RECHECK_SECONDS
        except (FileNotFoundError, PermissionError):
            return  # a player may not be allowed to write the charter

    def _put_if_free(self, path: str, data: bytes) -> bool:
        """Put a file; return False if the store answers that it knows no conditions, and note that.

        Raises FileExistsError, BusyError if other writers use the name all the time, and other
        kinds of OSError.
        """
        for _ in range(MAX_TRIES):
            try:
                self.files.pipe_file(self._full_path(path), data, mode="create", **self._timed)
                return True
            except FileExistsError:
                raise
            except OSError as error:
                code = code_of(error)
                if code in ("PreconditionFailed", "412"):
                    raise FileExistsError(path) from None
                if code in ("NotImplemented", "501"):
                    self.ignores_conditions = True
                    return False
                if code != "ConditionalRequestConflict":
                    raise
                time.sleep(0.1)  # another writer is using this name: see who was first
        raise BusyError(self._full_path(path), CLAIMED_SENTENCE)

    def _write(self, path: str, data: bytes) -> None:
        self.files.pipe_file(self._full_path(path), data, **self._timed)  # buckets need no folders
