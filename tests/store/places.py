"""Places for a game folder, each with a way past `pbem` to put, change and remove files in it."""

import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from pbem.files.game_folder import Folder, SharedFolder
from pbem.files.game_folder_in_store import StoreFolder
from pbem.files.game_folder_on_host import HostFolder
from pbem.files.game_folder_places import HostPlace, StorePlace, place_of


class Spot(ABC):
    """One place; `make()` opens it as another person on another computer would."""

    folders_last = True
    """Whether a folder stays when its last file is removed."""

    @abstractmethod
    def make(self) -> SharedFolder: ...
    @abstractmethod
    def put(self, path: str, data: bytes) -> None: ...
    @abstractmethod
    def remove(self, path: str) -> None: ...
    @abstractmethod
    def get(self, path: str) -> bytes: ...
    @abstractmethod
    def names(self) -> list[str]: ...


class OnDisk(Spot):
    def __init__(self, root: Path) -> None:
        self.root = root

    def make(self) -> SharedFolder:
        return Folder(self.root)

    def put(self, path: str, data: bytes) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(data)

    def remove(self, path: str) -> None:
        (self.root / path).unlink()

    def get(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def names(self) -> list[str]:
        found = self.root.rglob("*")
        return sorted(str(x.relative_to(self.root)) for x in found if not x.is_dir())


class InStore(Spot):
    """A store by its address; every `make` has copies of its own, as another home does."""

    def __init__(self, address: str, copies: Path) -> None:
        self.address, self._copies, self._count = address, copies, 0

    def make(self) -> StoreFolder:
        self._count += 1
        place = place_of(self.address)
        assert isinstance(place, StorePlace)
        return StoreFolder(place, self._copies / str(self._count))


class OnServer(OnDisk, InStore):
    """sftp: the server's files are files of this computer."""

    def __init__(self, root: Path, address: str, copies: Path) -> None:
        InStore.__init__(self, address, copies)
        self.root = root

    def make(self) -> StoreFolder:
        return InStore.make(self)


class OnHost(OnDisk, InStore):
    """A host: its files are files of this computer, and it never shows others than records."""

    def __init__(self, root: Path, address: str, copies: Path) -> None:
        InStore.__init__(self, address, copies)
        self.root = root

    def make(self) -> StoreFolder:
        self._count += 1
        place = place_of(self.address)
        assert isinstance(place, HostPlace)
        return HostFolder(place, self._copies / str(self._count))


class InMemory(InStore):
    def __init__(self, name: str, copies: Path) -> None:
        import fsspec

        super().__init__(f"memory://{name}/savannah", copies)
        self._files = fsspec.filesystem("memory")
        self._root = f"/{name}/savannah"

    def put(self, path: str, data: bytes) -> None:
        self._files.pipe_file(f"{self._root}/{path}", data)

    def remove(self, path: str) -> None:
        self._files.rm_file(f"{self._root}/{path}")

    def get(self, path: str) -> bytes:
        return bytes(self._files.cat_file(f"{self._root}/{path}"))

    def names(self) -> list[str]:
        return sorted(x[len(self._root) + 1 :] for x in self._files.find(self._root))


class InBucket(InStore):
    folders_last = False

    def __init__(self, client: Any, bucket: str, copies: Path) -> None:
        super().__init__(f"s3://{bucket}/savannah", copies)
        self._client, self.bucket = client, bucket
        client.create_bucket(Bucket=bucket)

    def put(self, path: str, data: bytes) -> None:
        self._client.put_object(Bucket=self.bucket, Key=f"savannah/{path}", Body=data)

    def remove(self, path: str) -> None:
        self._client.delete_object(Bucket=self.bucket, Key=f"savannah/{path}")

    def get(self, path: str) -> bytes:
        got = self._client.get_object(Bucket=self.bucket, Key=f"savannah/{path}")
        return bytes(got["Body"].read())

    def names(self) -> list[str]:
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket)
        keys = [one["Key"] for page in pages for one in page.get("Contents", [])]
        return sorted(key.removeprefix("savannah/") for key in keys)


def fresh(root: Path) -> None:
    """Remove whatever is at a path."""
    shutil.rmtree(root, ignore_errors=True)
