"""Folders in object stores (S3, Google Cloud Storage, Azure, a disk), published as a whole by a manifest.

    PLACE/kag-tree/newest            the serial of the newest manifest, or of one shortly before it
    PLACE/kag-tree/manifest-12.json  every file of the folder: its size, and the parts it is made of
    PLACE/kag-tree/parts/<sha256>    bytes by their hash, never changed; a large file has several

Nothing is renamed or listed. A manifest is created only where its serial is free, so one of two writers wins. Parts are
sent once, and checked against their hash when read.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from kag.core.errors import CorpusBusy, StoreError, needed_extra
from kag.core.files import parse_object

FORMAT = "kag-tree/1"
URL = re.compile(r"(?:s3|gs|az|file)://[^\s]+")
PART = 16 << 20  # bytes of a part at most
AT_ONCE = 8  # requests
ASKED = 1 << 16  # bytes from which on it is asked for whether a part is there: a small one is sent as quickly
KEPT = 10  # manifests that are kept, so that who reads an old one can finish
TRIES = 6  # of a request that the store is too busy for
PATIENCE = 120  # seconds that a request may take with all its tries
_HOME = "kag-tree"
_NEWEST = f"{_HOME}/newest"
_LOCAL = re.compile(r"http://(127\.0\.0\.1|localhost|\[::1\])[:/]")  # a server of this machine needs no https
_SHA = re.compile(r"[0-9a-f]{64}")
_LARGEST = 1 << 30  # bytes of a manifest
_HINT = (
    "Look at the address and at who may use it: AWS_ENDPOINT, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION for "
    "S3; GOOGLE_... and AZURE_... likewise."
)


@dataclass(frozen=True, slots=True)
class File:
    """A file of a folder: its size in bytes, and the SHA-256 of each of its parts, in order."""

    size: int
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """A state of a folder: files by their paths, parted by "/". `serial` 0 is the empty one before the first."""

    serial: int = 0
    id: str = ""
    files: Mapping[str, File] = field(default_factory=dict)


class Tree:
    """A folder at an address such as `s3://bucket/library`. Any number may read, one of many writers wins."""

    def __init__(self, url: str) -> None:
        """Raises `MissingExtra` without obstore, `StoreError` for an address that is none."""
        self.url = url.rstrip("/")
        self._store = _opened(self.url)

    def newest(self) -> Manifest:
        """The state that is published now; raises `StoreError`."""
        serial = self._hint()
        manifest = self._manifest(serial) if serial else Manifest()
        while manifest is not None and (later := self._manifest(manifest.serial + 1)) is not None:
            manifest = later
        if manifest is None:
            raise StoreError(f"{self.url} lacks the manifest {serial}", hint="Put it back from a copy.")
        return manifest

    def publish(self, before: Manifest, files: Mapping[str, File], read: Callable[[str, int, int], bytes]) -> Manifest:
        """Make these files the state after `before`; `read` gives so many bytes of a file from a place on.

        Raises `CorpusBusy` where somebody else published a state after `before`, `StoreError`.
        """
        known = {part for file in before.files.values() for part in file.parts}
        wanted: dict[str, tuple[str, int, int]] = {}
        for path, file in files.items():
            for number, part in enumerate(file.parts):
                if part not in known:
                    wanted[part] = path, number * PART, min(PART, file.size - number * PART)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for _ in pool.map(lambda part: self._send(part, *wanted[part], read), sorted(wanted)):
                pass
        new = Manifest(before.serial + 1, token_hex(16), dict(sorted(files.items())))
        if not self._create(_name(new.serial), _packed(new)):
            there = self._manifest(new.serial)
            if there is None or there.id != new.id:  # else the request was sent twice
                hint = "Give the command again: it begins with what was published."
                raise CorpusBusy(f"{self.url} was changed by somebody else meanwhile", hint=hint)
        self._after(new.serial)
        return new

    def part(self, name: str) -> bytes:
        """The bytes of a part; read once more where they are not those of its name. Raises `StoreError`."""
        for _ in range(2):
            data = self._get(f"{_HOME}/parts/{name}")
            if data is not None and sha256(data).hexdigest() == name:
                return data
        what = "is missing" if data is None else "is damaged"
        raise StoreError(f"{self.url}: the part {name[:12]} {what}", hint="Publish the folder again from a copy.")

    def plain(self) -> Mapping[str, tuple[int, str]]:
        """List the files that others put there: path -> size and the store's version."""
        with self._store_errors():
            batches = list(self._store_module().list(self._store))
        rows = [row for batch in batches for row in batch]
        return {row["path"]: (int(row["size"]), str(row["e_tag"])) for row in rows if safe(row["path"])
                and not row["path"].startswith(f"{_HOME}/")}  # fmt: skip

    def plain_file(self, path: str) -> bytes:
        """One of these files; raises `StoreError`."""
        data = self._get(path)
        if data is None:
            raise StoreError(f"{self.url}/{path} is gone", hint="Run the command again.")
        return data

    # requests ---------------------------------------------------------------------------------

    def _hint(self) -> int:
        text = (self._get(_NEWEST) or b"0").decode("ascii", "replace").strip()
        if not re.fullmatch(r"[0-9]{1,12}", text):
            raise StoreError(f"{self.url}/{_NEWEST} is damaged", hint="Write the serial of the newest manifest there.")
        if text == "0" and self._manifest(1) is not None:  # whoever made it was killed before he said so
            return 1
        return int(text)

    def _manifest(self, serial: int) -> Manifest | None:
        data = self._get(_name(serial))
        if data is None:
            return None
        try:
            return _read(data, serial)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise StoreError(f"{self.url}/{_name(serial)} is damaged: {error}", hint="Restore it.") from error

    def _send(self, part: str, path: str, start: int, size: int, read: Callable[[str, int, int], bytes]) -> None:
        """Put a part where it is not, whole; a part of another size than it should have is put again."""
        name = f"{_HOME}/parts/{part}"
        if size > ASKED and self._size(name) == size:
            return
        data = read(path, start, size)
        if sha256(data).hexdigest() != part:
            raise StoreError(f"{path} was changed while it was being sent", hint="Run the command again.")
        with self._store_errors():
            self._store_module().put(self._store, name, data, use_multipart=False)

    def _size(self, name: str) -> int:
        """The size of an object; -1 where there is none."""
        with self._store_errors():
            try:
                return int(self._store_module().head(self._store, name)["size"])
            except FileNotFoundError:
                return -1

    def _create(self, name: str, data: bytes) -> bool:
        """Put an object where none of its name is; False where one is."""
        module = self._store_module()
        try:
            with self._store_errors():
                module.put(self._store, name, data, mode="create", use_multipart=False)
        except (module.exceptions.AlreadyExistsError, module.exceptions.PreconditionError):
            return False
        return True

    def _after(self, serial: int) -> None:
        """Record the newest manifest, and remove those that no reader uses any more."""
        module = self._store_module()
        with self._store_errors():
            module.put(self._store, _NEWEST, str(serial).encode(), use_multipart=False)
            if serial > KEPT:
                with suppress(FileNotFoundError):
                    module.delete(self._store, _name(serial - KEPT))

    def _get(self, name: str) -> bytes | None:
        with self._store_errors():
            try:
                return bytes(self._store_module().get(self._store, name).bytes())
            except FileNotFoundError:
                return None

    @staticmethod
    def _store_module() -> Any:
        import obstore

        return obstore

    @contextmanager
    def _store_errors(self) -> Iterator[None]:
        """Return a store's refusal as `StoreError`; the caller handles existing files."""
        exceptions = self._store_module().exceptions
        try:
            yield
        except (exceptions.AlreadyExistsError, exceptions.PreconditionError, FileNotFoundError):
            raise
        except (exceptions.BaseError, OSError, ValueError) as error:
            problem = str(error).partition("\n")[0][:300]
            raise StoreError(f"{self.url}: {problem}", hint=_HINT) from error


def _opened(url: str) -> Any:
    with needed_extra("object-storage"):
        from obstore import store
    opening: Any = store.from_url  # its types are one signature a scheme
    retries = {"max_retries": TRIES, "retry_timeout": timedelta(seconds=PATIENCE)}
    try:
        if url.startswith("file://"):
            Path(url.removeprefix("file://")).mkdir(parents=True, exist_ok=True)
            return opening(url)
        endpoint = os.environ.get("AWS_ENDPOINT") or os.environ.get("AWS_ENDPOINT_URL") or ""
        client = {"timeout": f"{PATIENCE}s"} | ({"allow_http": True} if _LOCAL.match(endpoint) else {})
        return opening(url, client_options=client, retry_config=retries)
    except Exception as error:  # obstore has errors of its own for each scheme
        raise StoreError(f"{url}: {str(error)[:300]}", hint=_HINT) from error


def parts_of(path: Path) -> File:
    """A file of this disk as it is published."""
    parts: list[str] = []
    size = 0
    with path.open("rb") as file:
        while data := file.read(PART):
            parts.append(sha256(data).hexdigest())
            size += len(data)
    return File(size, tuple(parts))


def safe(path: str) -> bool:
    """Whether a path leads to a file in a folder and to nothing else."""
    return bool(path) and not set("\0\\").intersection(path) and not {"", ".", ".."}.intersection(path.split("/"))


def _name(serial: int) -> str:
    return f"{_HOME}/manifest-{serial}.json"


def _packed(manifest: Manifest) -> bytes:
    files = {path: [file.size, *file.parts] for path, file in manifest.files.items()}
    row = {"format": FORMAT, "serial": manifest.serial, "id": manifest.id, "files": files}
    return (json.dumps(row, separators=(",", ":")) + "\n").encode()


def _read(data: bytes, serial: int) -> Manifest:
    """Read an untrusted manifest; raises `ValueError` or similar if it is invalid."""
    if len(data) > _LARGEST:
        raise ValueError("it is too large")
    row = parse_object(data.decode("utf-8"))
    if row["format"] != FORMAT or row["serial"] != serial:
        raise ValueError(f"it is of the format {str(row['format'])[:40]!r} and the serial {str(row['serial'])[:20]}")
    files = {path: File(size, tuple(parts)) for path, (size, *parts) in row["files"].items()}
    for path, file in files.items():
        whole = type(file.size) is int and len(file.parts) == -(-file.size // PART)
        if not safe(path) or not whole or not all(type(p) is str and _SHA.fullmatch(p) for p in file.parts):
            raise ValueError(f"{path[:80]!r} is not a file of a folder")
    return Manifest(serial, str(row["id"]), files)
