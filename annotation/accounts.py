"""Every session names by this path the backend that opened it: with another one, everybody would be signed out."""

from annotation.people.accounts import PersonBackend

__all__ = ["PersonBackend"]
