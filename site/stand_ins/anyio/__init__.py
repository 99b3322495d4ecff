"""What Starlette asks of anyio, where nothing runs beside anything else."""

from anyio import to_thread as to_thread


class AsyncFile: ...


class WouldBlock(Exception): ...
