"""What a rule raises when a person asked for something that cannot be done."""


class Refused(Exception):
    """The request is understood and refused; nothing was changed. The message is for the person who asked.

    `field` is the parameter that it is about, where it is about one.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field
