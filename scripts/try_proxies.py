"""Tries the proxies' blocks of the documentation, each in front of two web servers of the site.

`manage.py check_site` has to find nothing. Then one web server after the other is replaced as by `deploy/update`,
while requests are sent, posts among them, and every single one has to be answered by the site. So has one that is
sent while neither is ready: people read the site's own page, which says so.

    DEBUG=1 python -m scrub_site.local_stack run --throwaway --state .local/proxies -- python -m scripts.try_proxies

Tries those of nginx, Caddy and Apache that are installed, or those that are named (`… apacheconf`), with a
certificate of its own, on ports of the loopback address; `PROGRAMS` may name a folder that they were unpacked to.
Ends with 1 where a block is not as it should be.
"""

import http.client
import itertools
import os
import re
import secrets
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.support.server import free_port

QUEUES: Final = ("default", "mail", "calls")
PROJECT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = PROJECT / "docs" / "how-to" / "deploy-with-compose.md"
MODULES: Final = (
    *("mpm_event", "authz_core", "ssl", "socache_shmcb", "slotmem_shm", "headers"),
    *("proxy", "proxy_http", "proxy_balancer", "lbmethod_byrequests", "proxy_hcheck"),
)
DRAIN_SECONDS: Final = 6  # as long as `deploy/update` waits
ASKING: Final = 6  # threads, each of which sends one request after the other
MAX_WAIT: Final = 60.0  # seconds until a web server or a proxy answers

NEW_CERTIFICATE: Final = (
    *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
    *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
)


def block(name: str) -> str:
    """The block of the page for this proxy."""
    [found] = re.findall(rf"^```{name}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


def nginx(text: str, folder: Path, root: Path) -> list[str]:
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    http = f"http {{ access_log off; {temporary}\n{text}}}"
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/log; events {{}}\n{http}", encoding="utf-8"
    )
    return [str(root / "usr/sbin/nginx"), "-c", str(folder / "nginx.conf")]


def caddy(text: str, folder: Path, root: Path) -> list[str]:
    tls = f"tls {folder}/fullchain.pem {folder}/privkey.pem"
    head = "{\n admin off\n auto_https disable_redirects\n}\n"
    (folder / "Caddyfile").write_text(head + text.replace("{\n", f"{{\n{tls}\n", 1), encoding="utf-8")
    return [str(root / "usr/bin/caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def apache(text: str, folder: Path, root: Path) -> list[str]:
    loaded = "".join(f"LoadModule {name}_module {root}/usr/lib/apache2/modules/mod_{name}.so\n" for name in MODULES)
    [port] = re.findall(r"VirtualHost \*:(\d+)", text)
    head = (
        f"ServerRoot {folder}\nDefaultRuntimeDir {folder}\nServerName localhost\n"
        f"PidFile {folder}/apache.pid\nErrorLog {folder}/log\n"
    )
    (folder / "apache.conf").write_text(f"{head}{loaded}Listen 127.0.0.1:{port}\n{text}", encoding="utf-8")
    return [str(root / "usr/sbin/apache2"), "-f", str(folder / "apache.conf"), "-DFOREGROUND"]


PROXIES: Final[Mapping[str, Callable[[str, Path, Path], list[str]]]] = {
    "nginx": nginx,
    "caddyfile": caddy,
    "apacheconf": apache,
}


@dataclass(frozen=True)
class Web:
    """One of the two web servers, on a port of its own."""

    port: int
    drain: Path

    def start(self, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        own = {**environment, "DRAIN_FILE": str(self.drain)}
        bind = ("--bind", f"127.0.0.1:{self.port}", "--no-control-socket", "--threads", "4")
        command = [sys.executable, "-m", "gunicorn", "scrub_site.wsgi", *bind]
        process = subprocess.Popen(command, env=own, cwd=PROJECT)
        wait_for(lambda: is_ready(self.port, own["SITE_URL"].removeprefix("https://")))
        return process


def wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + MAX_WAIT
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError("no answer")
        time.sleep(0.3)


def is_ready(port: int, host: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health/ready/", headers={"Host": host})
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


@dataclass
class Seen:
    """What became of the requests: how many the site answered, and what others got instead."""

    answered: int = 0
    failed: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, port: int, certificate: Path, over: threading.Event) -> None:
        """Send requests until it is over, every second one a post."""
        for method in itertools.cycle(("GET", "POST")):
            if over.is_set():
                return
            self.ask_once(method, port, certificate)
            time.sleep(0.02)

    def ask_once(self, method: str, port: int, certificate: Path) -> None:
        """Each answer of the site's has an id, and none of a proxy's own."""
        context = ssl.create_default_context(cafile=str(certificate))
        connection = http.client.HTTPSConnection("localhost", port, timeout=30, context=context)
        try:
            connection.request(method, "/health/live/")
            answer = connection.getresponse()
            answer.read()
            failure = "" if answer.headers["X-Request-ID"] else f"{method}: {answer.status}"
        except OSError as error:
            failure = f"{method}: {error!r}"
        finally:
            connection.close()
        with self.lock:
            self.answered += not failure
            self.failed += [failure] if failure else []


def ended(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait(60)


def all_ended(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        ended(process)


class Site:
    """A proxy by its block, two web servers behind it, and the loop and workers that `check_site` looks for."""

    def __init__(self, name: str, folder: Path, root: Path) -> None:
        self.name, self.folder = name, folder
        self.webs = [Web(free_port(), folder / f"drain-{letter}") for letter in "ab"]
        self.port = free_port()
        text = block(name).replace("studio.example.org", "localhost").replace("443", str(self.port))
        for given, web in zip(("127.0.0.1:8000", "127.0.0.1:8001"), self.webs, strict=True):
            text = text.replace(given, f"127.0.0.1:{web.port}").replace(
                given.replace("127.0.0.1", "localhost"), f"localhost:{web.port}"
            )
        text = text.replace("/etc/ssl/studio/", f"{folder}/").replace("/etc/nginx/", f"{folder}/")
        text = text.replace("localhost {", f"localhost:{self.port} {{")  # Caddy's, which names no port
        self.tell(self.webs)
        # Where programs were only unpacked, so were their libraries.
        self.of_proxy = {} if root == Path("/") else {"LD_LIBRARY_PATH": str(root / "usr/lib/x86_64-linux-gnu")}
        self.command = PROXIES[name](text, folder, root)
        self.environment = {
            **os.environ,
            "DEBUG": "",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "SITE_URL": f"https://localhost:{self.port}",
            "PROBE_URL": f"http://127.0.0.1:{self.webs[0].port}/health/ready/",
            "TRUSTED_PROXY_COUNT": "1",
            "ALLOWED_HOSTS": "127.0.0.1",  # as the page says for Apache
            "EMAIL_URL": "dummymail://",
            "LOG_LEVEL": "WARNING",
            "SSL_CERT_FILE": str(folder / "fullchain.pem"),
            "HOME": str(folder),
        }

    def tell(self, webs: Sequence[Web]) -> None:
        """The file that nginx includes, as `deploy/update` writes it."""
        (self.folder / "studio.conf").write_text("".join(f"server 127.0.0.1:{web.port};\n" for web in webs))

    def ask_only(self, webs: Sequence[Web]) -> None:
        if self.name == "nginx":
            self.tell(webs)
            subprocess.run([*self.command, "-s", "reload"], env=self.environment | self.of_proxy, check=True)

    def tried(self) -> bool:
        manage = [sys.executable, "manage.py"]
        others = [[*manage, "run_loop"], *([*manage, "rqworker", queue, "--verbosity=0"] for queue in QUEUES)]
        with ExitStack() as stack:

            def start(command: list[str], **own: str) -> None:
                process = subprocess.Popen(command, env=self.environment | own, cwd=PROJECT)
                stack.callback(ended, process)

            running = [web.start(self.environment) for web in self.webs]
            stack.callback(lambda: all_ended(running))
            start(self.command, **self.of_proxy)
            for command in others:
                start(command)
            is_good = self.is_found_good()
            seen = self.replaced(running)
            unready = self.neither_is_ready()
        print(
            f"{self.name}: {seen.answered} requests answered, {len(seen.failed)} not. {seen.failed[:5]} "
            f"While neither is ready: {unready.failed or 'answered'}.",
            flush=True,
        )
        return is_good and not seen.failed and not unready.failed

    def is_found_good(self) -> bool:
        command = [sys.executable, "manage.py", "check_site"]
        for _ in range(12):
            time.sleep(10)
            checked = subprocess.run(
                command, env=self.environment, cwd=PROJECT, check=False, capture_output=True, text=True
            )
            if not checked.returncode:
                break
        print(f"{self.name}: {checked.stdout}{checked.stderr}", flush=True)
        return not checked.returncode

    def neither_is_ready(self) -> Seen:
        """Both web servers say that they are not ready, as where the database takes no writes."""
        for web in self.webs:
            web.drain.touch()
        time.sleep(DRAIN_SECONDS)
        seen, certificate = Seen(), self.folder / "fullchain.pem"
        for method in ("GET", "POST"):
            seen.ask_once(method, self.port, certificate)
        for web in self.webs:
            web.drain.unlink()
        return seen

    def replaced(self, running: list[subprocess.Popen[bytes]]) -> Seen:
        """One web server after the other is drained, ended and started anew, while requests are sent."""
        seen, over = Seen(), threading.Event()
        certificate = self.folder / "fullchain.pem"
        with ThreadPoolExecutor(ASKING) as pool:
            asking = [pool.submit(seen.ask, self.port, certificate, over) for _ in range(ASKING)]
            try:
                time.sleep(2)
                for number, web in enumerate(self.webs):
                    self.ask_only([other for other in self.webs if other is not web])
                    web.drain.touch()
                    time.sleep(DRAIN_SECONDS)
                    ended(running[number])
                    time.sleep(2)  # nobody listens
                    web.drain.unlink()
                    running[number] = web.start(self.environment)
                    time.sleep(3)  # as Docker needs at least, until it has asked for health
                self.ask_only(self.webs)
                time.sleep(2)
            finally:
                over.set()
            for one in asking:
                one.result()
        return seen


def main() -> int:
    root = Path(os.environ.get("PROGRAMS", "/"))
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=PROJECT, check=True)
    subprocess.run([sys.executable, "manage.py", "createcachetable"], cwd=PROJECT, check=True)
    good = []
    for name in sys.argv[1:] or PROXIES:
        prepare = PROXIES[name]
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            folder.chmod(0o755)
            program = Path(prepare("VirtualHost *:443", folder, root)[0])
            if not program.exists():
                print(f"{name}: not installed")
                continue
            certificate = ["-keyout", f"{folder}/privkey.pem", "-out", f"{folder}/fullchain.pem"]
            subprocess.run([*NEW_CERTIFICATE, *certificate], check=True, capture_output=True)
            good.append(Site(name, folder, root).tried())
    return not all(good)


if __name__ == "__main__":
    sys.exit(main())
