"""Names that Starlette mentions and never uses here."""


class ObjectReceiveStream: ...


class ObjectSendStream: ...


class TaskGroup: ...
