"""The two commands of the local stack; see the package's description."""

import argparse
import asyncio
import os
import signal
import sys
import time
from pathlib import Path

from scrub_site.database import roles as database_roles
from scrub_site.local_stack import StackError
from scrub_site.local_stack.accounts import Account, database_account
from scrub_site.local_stack.console import Console
from scrub_site.local_stack.demo import PROJECT, demo_environment, demo_port, platform, preparation
from scrub_site.local_stack.postgres import Postgres
from scrub_site.local_stack.process import Child
from scrub_site.local_stack.redis import Redis
from scrub_site.local_stack.state import StateFolder, require_free_port
from scrub_site.local_stack.supervisor import Supervisor

_INTERRUPTED = 128 + signal.SIGINT
_TERMINATED = 128 + signal.SIGTERM


def run(folder: Path, command: list[str], *, is_throwaway: bool) -> int:
    """Runs `command` on the servers and returns its exit code, 128 + its number when a signal ended it.

    Throwaway data survive the end of any process, but not a power cut.
    """
    started = time.monotonic()
    state = StateFolder(folder)
    account = database_account()
    with state.held(owner=account), (state.path / "servers.log").open("w") as log:
        console = Console(notices=sys.stderr, log=log)
        servers = _servers_to_start(state, account, console, is_throwaway=is_throwaway)
        supervisor = Supervisor(console)

        async def body() -> int:
            await supervisor.start(*(server.child() for server in servers))
            names = " and ".join(server.name for server in servers) or "the servers of the environment"
            console.say(f"Local stack: {names} ({state.path}, {time.monotonic() - started:.1f} s)")
            environment = _environment(state, servers)
            # An interrupt is what a test run or a shell script knows how to clean up after.
            child = Child(
                name=command[0],
                command=command,
                environment=environment,
                stop_signal=signal.SIGINT,
                seconds_to_stop=30,
            )
            code = await supervisor.run(child)
            return code if code >= 0 else 128 - code

        return asyncio.run(supervisor.supervise(body()))


def demo(folder: Path) -> int:
    """Runs the whole platform until Ctrl-C or SIGTERM, which are the normal ways to end it: exit code 0."""
    started = time.monotonic()
    state = StateFolder(folder)
    account = database_account()
    port = demo_port()
    address = f"http://127.0.0.1:{port}"
    with state.held(owner=account, address=address):
        require_free_port(port)
        console = Console(notices=sys.stdout, log=sys.stdout)
        servers = _servers_to_start(state, account, console)
        supervisor = Supervisor(console)

        async def body() -> int:
            environment = _environment(state, servers) | demo_environment(state.path, address)
            preparing, running = _by_roles(environment, servers)
            await supervisor.start(*(server.child() for server in servers))
            if code := await supervisor.run(preparation(preparing)):
                raise StackError(f"The demo could not be prepared (exit code {code}); the lines above say why.")
            await supervisor.start(*platform(running, port))
            seconds = time.monotonic() - started
            console.say(f"\nSCRuB Studio is running at {address} (after {seconds:.1f} s). Ctrl-C stops it.\n")
            return await supervisor.until_stopped()

        code = asyncio.run(supervisor.supervise(body()))
        console.say("Stopped.")
        return 0 if code in {_INTERRUPTED, _TERMINATED} else code


def _servers_to_start(
    state: StateFolder, account: Account, console: Console, *, is_throwaway: bool = False
) -> list[Postgres | Redis]:
    """The servers whose address the environment does not give, prepared."""
    servers: list[Postgres | Redis] = [
        Postgres(state, account, console, is_throwaway=is_throwaway),
        Redis(state),
    ]
    wanted = [server for server in servers if not os.environ.get(server.variable)]
    for server in wanted:
        server.prepare()
    return wanted


def _environment(state: StateFolder, servers: list[Postgres | Redis]) -> dict[str, str]:
    addresses = {server.variable: server.url for server in servers}
    return {**os.environ, **addresses, "STATE_DIR": str(state.path)}


def _by_roles(
    environment: dict[str, str], servers: list[Postgres | Redis]
) -> tuple[dict[str, str], dict[str, str]]:
    """What prepares a database of ours is told of all roles, what then runs of the site's own alone."""
    for server in servers:
        if isinstance(server, Postgres):
            roles = {name: server.url_of(role) for role, name in database_roles.ADDRESSES.items()}
            preparing = {**environment, **roles, database_roles.MAKER: server.url}
            return preparing, {**environment, server.variable: server.url_of(database_roles.APP)}
    return environment, environment


def _arguments() -> tuple[argparse.Namespace, list[str]]:
    """The options, and the command after `--`."""
    given = sys.argv[1:]
    split = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(prog="python -m scrub_site.local_stack", description="The local stack.")
    commands = parser.add_subparsers(dest="name", required=True)
    for name, usage, text in (
        ("run", "%(prog)s [--state DIR] [--throwaway] -- COMMAND …", "run a command on PostgreSQL and Redis"),
        ("demo", "%(prog)s [--state DIR]", "run the whole platform with the demo study"),
    ):
        default = PROJECT / ".local" / ("test" if name == "run" else "demo")
        sub = commands.add_parser(name, usage=usage, help=text)
        sub.add_argument("--state", type=Path, default=default, metavar="DIR", help=f"state folder ({default})")
        if name == "run":
            sub.add_argument("--throwaway", action="store_true", help="fast: data need not survive a power cut")
    options = parser.parse_args(given[:split])
    command = given[split + 1 :]
    if bool(command) != (options.name == "run"):
        parser.error("`run` needs a command after --, `demo` takes none")
    return options, command


def main() -> int:
    """Returns the process's exit code: 1 with a message when something is in the way."""
    options, command = _arguments()
    try:
        if options.name == "demo":
            return demo(options.state)
        return run(options.state, command, is_throwaway=options.throwaway)
    except (StackError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # before the supervisor took over
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
