"""Accounts."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower, Now
from django.dispatch import Signal

# A sign-in has stored the same password in a newer form. Arguments: user, before (as it was stored).
password_stored_anew = Signal()


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account, known by their address. What they do in a study is a `Participation`."""

    email = models.EmailField()
    name = models.CharField(max_length=120)
    time_zone = models.CharField(max_length=64, default="UTC")
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField("administrator", default=False)
    is_demo = models.BooleanField("demonstration person", default=False)
    joined_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        ordering = ("email",)
        constraints = [
            models.UniqueConstraint(fields=["email"], name="user_email_unique"),
            models.UniqueConstraint(Lower("email"), name="user_email_unique_ignoring_case"),
        ]

    def __str__(self) -> str:
        return self.name or self.email

    def check_password(self, raw_password: str | None) -> bool:
        """Like Django's, and announces where it stored the password in a newer form."""
        before = self.password
        is_right = super().check_password(raw_password)
        if self.password != before:
            password_stored_anew.send(sender=type(self), user=self, before=before)
        return is_right

    def get_full_name(self) -> str:
        return self.name

    def get_short_name(self) -> str:
        return self.name.split(" ")[0]
