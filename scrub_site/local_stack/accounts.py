"""Whose rights the PostgreSQL server runs with, and what that account can reach."""

import os
import pwd
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrub_site.local_stack import StackError


@dataclass(frozen=True)
class Account:
    """A system account that servers run as."""

    name: str
    uid: int
    gid: int

    def spawn_options(self) -> dict[str, Any]:
        """The arguments that make `subprocess` start a program with this account's rights."""
        if self.uid == os.geteuid():
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def can(self, test: str, path: Path) -> bool:
        """Whether this account passes the `test` (one of test(1)'s -x, -r, -w) on `path`."""
        return subprocess.run(["test", test, str(path)], check=False, **self.spawn_options()).returncode == 0  # noqa: S607


def database_account() -> Account:
    """The account of PostgreSQL, which refuses to run as root: then `nobody`, otherwise the caller's own."""
    try:
        entry = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    except KeyError:
        if os.geteuid() == 0:
            raise StackError(
                "PostgreSQL does not run as root, and this system has no account `nobody` to run it as. "
                "Start again as an ordinary user."
            ) from None
        return Account(name=str(os.geteuid()), uid=os.geteuid(), gid=os.getegid())
    return Account(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid)


def private_folder(path: Path, owner: Account) -> Path:
    """Makes `path` a folder that only `owner` may enter, or checks that the one in place is such a folder.

    The check matters under /tmp, where somebody else could have made the folder first.
    """
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), owner.uid} or found.st_mode & 0o077:
        raise StackError(
            f"{path} is in the way: it is not a private folder of {owner.name}. Remove it and start again."
        )
    os.chown(path, owner.uid, owner.gid)
    return path
