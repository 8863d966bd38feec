"""Sessions in the database, read without the ORM's cost: every request of a signed-in person reads one. They end by
the database's clock.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions import middleware
from django.contrib.sessions.backends import db
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import connection
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse

LOAD = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > statement_timestamp()"


class SessionStore(db.SessionStore):
    """Django's own, but for reading and for the clock."""

    def load(self) -> dict[str, Any]:
        """What the session holds; nothing where it has ended, and then a new key is made when it is saved."""
        with connection.cursor() as cursor:
            cursor.execute(LOAD, [self.session_key])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return {}
        content: dict[str, Any] = self.decode(row[0])
        return content

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        """Django's own, with an end that the database reckons from its time."""
        session = super().create_model_instance(data)
        session.expire_date = Now() + timedelta(seconds=self.get_expiry_age())
        return session


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's own, but only who signs out loses their cookie.

    Django has the browser drop a cookie whose session it does not find. Signing in replaces the session: the answer
    to a request that left just before, as a save of the room above the sign-in page, would drop the new cookie.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The answer, with a session's cookie only where this request changed the session."""
        response = super().process_response(request, response)
        if not request.session.modified:
            response.cookies.pop(settings.SESSION_COOKIE_NAME, None)
        return response
