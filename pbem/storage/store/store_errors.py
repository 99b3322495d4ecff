"""Write sentences for the errors of a store or its library, without the library's own text.

That text can contain addresses with signatures, or names of keys. So an error is recognised by its
class and by the store's error code, and only these two are ever shown.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from typing import Final

from pbem.format.errors import RecordError
from pbem.storage.errors import AwayError, StorageError, storage_error
from pbem.storage.store.limits import MOST_FILES, WHOLE

_NO_KEYS: Final = (
    "no credentials for this store were found; give them where the store's own tools look for them "
    "(for s3: the environment or ~/.aws), and try again"
)
_REFUSED: Final = (
    "the store does not accept your credentials; check that they are right, have not expired, "
    "and are for this store"
)
_FORBIDDEN: Final = "the store does not allow you to do this; ask the person who owns it"
_CLOCK: Final = "the store says that this computer's clock is wrong; set it, and try again"
_UNKNOWN_HOST: Final = (
    "this computer does not know the server yet; connect to it once with the command ssh, check "
    "that its fingerprint is right, and try again"
)
_CHANGED_HOST: Final = (
    "the server's host key has changed, so it may be a different server; ask its owner, "
    "and do not enter a password"
)
_GONE: Final = "the store cannot be reached now; check your network{}, and try again"
_BUSY: Final = "the store is busy or is not working now; try again in a moment"
_SLOW: Final = f"the store takes longer than {WHOLE:.0f} seconds to answer; try again later"

# errors are recognised by the names of their classes, so that no library must be imported for it
_BY_CLASS: Final = {
    "NoCredentialsError": _NO_KEYS,
    "PartialCredentialsError": _NO_KEYS,
    "CredentialRetrievalError": _NO_KEYS,
    "ProfileNotFound": _NO_KEYS,
    "TokenRetrievalError": _REFUSED,
    "SSOTokenLoadError": _REFUSED,
    "UnauthorizedSSOTokenError": _REFUSED,
    "TooMuchError": "the store sends more than it was asked for; ask the person who runs it",
    "TooManyFilesError": f"the store lists more than {MOST_FILES:,} files here, and no game has so "
    "many; ask the person who owns it to remove what is not part of the game",
    "UnwrittenError": "the server could not write this file and does not say why; most often its "
    "disk is full, or your share of it is used up: ask the person who runs it",
    "BadHostKeyException": _CHANGED_HOST,
    "UnknownHostError": _UNKNOWN_HOST,
    "AuthenticationException": "the server accepts none of your SSH keys; check that `ssh` can "
    "connect to it without a password",
}
_BY_CODE: Final = {
    "InvalidAccessKeyId": _REFUSED,
    "SignatureDoesNotMatch": _REFUSED,
    "InvalidToken": _REFUSED,
    "ExpiredToken": _REFUSED,
    "403": _FORBIDDEN,
    "AccessDenied": _FORBIDDEN,
    "AllAccessDisabled": _FORBIDDEN,
    "RequestTimeTooSkewed": _CLOCK,
    "NoSuchBucket": "there is no such bucket; check its name, or make it with the store's tools",
    "InvalidBucketName": "no bucket can have this name",
    "PermanentRedirect": "the bucket is in a different region; set AWS_DEFAULT_REGION to it",
    "AuthorizationHeaderMalformed": "the bucket is in a different region; set AWS_DEFAULT_REGION "
    "to it",
}
_PASSING_CODES: Final = frozenset(
    [
        "500",
        "502",
        "503",
        "409",
        "InternalError",
        "ServiceUnavailable",
        "SlowDown",
        "OperationAborted",
        "RequestTimeout",
        "ConditionalRequestConflict",
        "RequestLimitExceeded",
    ]
)
_SLOW_CLASSES: Final = frozenset(["SlowError", "FSTimeoutError"])
_PASSING_CLASSES: Final = frozenset(
    [
        "EndpointConnectionError",
        "ConnectTimeoutError",
        "ReadTimeoutError",
        "HTTPClientError",
        "SSLError",
        "ConnectionClosedError",
        "ResponseStreamingError",
        "TimeoutError",
        "ConnectionError",
        "ClientConnectionError",
        "ClientPayloadError",
        "IncompleteRead",
        "IncompleteReadError",
        "SSHException",
        "gaierror",
        "EOFError",
        "NoValidConnectionsError",
        "ProxyConnectionError",
        "ResponseParserError",
        "CutOffError",
    ]
)
_NETWORK: Final = frozenset(
    getattr(errno, name)
    for name in [
        "ENETUNREACH",
        "EHOSTUNREACH",
        "ENETDOWN",
        "EPIPE",
        "ECONNREFUSED",
        "ECONNRESET",
        "ETIMEDOUT",
        "ECONNABORTED",
    ]
    if hasattr(errno, name)
)


@contextlib.contextmanager
def asking(where: str) -> Iterator[None]:
    """Turn every error of a store or its library in this block into a StorageError about
    `where`."""
    try:
        yield
    except (StorageError, RecordError, FileExistsError):
        raise
    except Exception as error:  # noqa: BLE001 - libraries of stores raise anything
        raise store_error(error, where) from None


def store_error(error: BaseException, where: str) -> StorageError:
    """Return the error to raise, with a sentence, for an error of a store; AwayError if the problem
    may pass."""
    code, classes = code_of(error), _classes(error)
    told = _BY_CODE.get(code) or next((_BY_CLASS[c] for c in classes if c in _BY_CLASS), "")
    if told:
        return StorageError(where, told)
    if classes & _SLOW_CLASSES:
        return AwayError(where, _SLOW)
    if code in _PASSING_CODES:
        return AwayError(where, _BUSY)
    if isinstance(error, FileNotFoundError):
        return StorageError(where, "is not there", missing=True)
    if isinstance(error, PermissionError):
        return StorageError(where, _FORBIDDEN)
    number = error.errno if isinstance(error, OSError) else None
    if number in _NETWORK or (not code and classes & _PASSING_CLASSES):
        # the usual reason why a store other than Amazon's is out of reach
        named = " and AWS_ENDPOINT_URL" if os.environ.get("AWS_ENDPOINT_URL") else ""
        return AwayError(where, _GONE.format(named if where.startswith("s3") else ""))
    if isinstance(error, OSError) and not code and number not in (None, errno.EIO):
        return storage_error(OSError(number, errno.errorcode.get(number or 0, "")), where)
    named = code or type(error).__name__
    return StorageError(where, f"the store or its library reports an error: {named}")


def code_of(error: BaseException) -> str:
    """Return the error code that an S3 store sent.

    It is empty if there is none, or if it is not a word.
    """
    for one in _chain(error):
        response = getattr(one, "response", None)
        if isinstance(response, dict):
            code = str(response.get("Error", {}).get("Code", ""))
            return code if re.fullmatch(r"[A-Za-z0-9]{1,60}", code, re.ASCII) else ""
    return ""


def _classes(error: BaseException) -> set[str]:
    """Return the names of the classes of an error and of its causes."""
    kinds = {kind.__name__ for one in _chain(error) for kind in type(one).__mro__}
    return kinds - {"OSError", "Exception", "BaseException", "object"}


def _chain(error: BaseException) -> Iterator[BaseException]:
    one: BaseException | None = error
    for _ in range(8):
        if one is None:
            return
        yield one
        one = one.__cause__ or one.__context__
