"""Fake providers as a process: `python -m tests.fake_providers PORT [--delay SECONDS] [--every N:CASE …]`."""

import argparse
import asyncio
from contextlib import suppress

from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders


async def run(arguments: argparse.Namespace) -> None:
    fake = FakeProviders()
    fake.script.usually = Behaviour(delay=arguments.delay)
    for number, _, case in (rule.partition(":") for rule in arguments.every):
        fake.script.every[int(number)] = Behaviour(case, delay=arguments.delay)
    server = await fake.listen(arguments.port)
    print(fake.url, flush=True)
    async with server:
        await server.serve_forever()


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("port", type=int, help="0: any free one; the address is printed")
parser.add_argument("--delay", type=float, default=0, help="seconds until a reply")
parser.add_argument("--every", action="append", default=[], metavar="N:CASE", help="deal with every n-th like this")
with suppress(KeyboardInterrupt):
    asyncio.run(run(parser.parse_args()))
