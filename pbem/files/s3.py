"""Connect to a store that speaks S3, over a session that limits the size of each answer."""

from __future__ import annotations

from typing import Any

from aiobotocore.httpsession import AIOHTTPSession
from s3fs import S3FileSystem

from pbem.files import store


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
        if len(data) > store.MAX_XML_BYTES:
            raw.close()
            raise store.TooMuchError
    return bytes(data)


def connected() -> S3FileSystem:
    """Return an fsspec file system for the store that the environment names."""
    files = S3FileSystem(
        skip_instance_cache=True,
        use_listings_cache=False,
        config_kwargs={
            "connect_timeout": store.CONNECT_SECONDS,
            "read_timeout": store.SILENCE_SECONDS,
            "retries": {"max_attempts": 1},
            "http_session_cls": _Session,
        },
    )
    files.retries = 2
    return files
