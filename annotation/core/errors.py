"""What a rule raises when a person asked for something that cannot be done."""


class Refused(Exception):
    """The request is understood and refused; nothing was changed. The message is for the person who asked."""
