"""There are no threads in a browser tab: what would run in one runs at once."""


async def run_sync(function, *args, **_):
    return function(*args)
