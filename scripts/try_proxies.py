"""Tries the proxies' blocks of the documentation: each in front of the site, which `manage.py check_site` looks at.

    DEBUG=1 python -m scrub_site.local_stack run --throwaway --state .local/proxies -- python -m scripts.try_proxies

Tries those of nginx, Caddy and Apache that are installed, or those that are named (`… apacheconf`), with a
certificate of its own, on ports of the loopback address; `PROGRAMS` may name a folder that they were unpacked to.
Ends with 1 where a block is not as it should be.
"""

import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from benchmarks.support.server import free_port

PROJECT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = PROJECT / "docs" / "how-to" / "deploy-with-compose.md"
MODULES: Final = ("mpm_event", "authz_core", "ssl", "socache_shmcb", "headers", "proxy", "proxy_http")

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
    head = f"ServerRoot {folder}\nServerName localhost\nPidFile {folder}/apache.pid\nErrorLog {folder}/log\n"
    (folder / "apache.conf").write_text(f"{head}{loaded}Listen 127.0.0.1:{port}\n{text}", encoding="utf-8")
    return [str(root / "usr/sbin/apache2"), "-f", str(folder / "apache.conf"), "-DFOREGROUND"]


PROXIES: Final[Mapping[str, Callable[[str, Path, Path], list[str]]]] = {
    "nginx": nginx,
    "caddyfile": caddy,
    "apacheconf": apache,
}


@contextmanager
def running(commands: list[list[str]], environment: Mapping[str, str]) -> Iterator[None]:
    started = [subprocess.Popen(command, env=environment, cwd=PROJECT) for command in commands]
    try:
        yield
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(30)


def tried(name: str, folder: Path, root: Path) -> bool:
    """Whether `check_site` finds nothing behind this proxy."""
    inside, outside = free_port(), free_port()
    text = block(name).replace("127.0.0.1:8000", f"127.0.0.1:{inside}").replace("studio.example.org", "localhost")
    text = text.replace("443", str(outside)).replace("/etc/ssl/studio/", f"{folder}/")
    text = text.replace("localhost {", f"localhost:{outside} {{")  # Caddy's, which names no port
    environment = {
        **os.environ,
        "DEBUG": "",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "SITE_URL": f"https://localhost:{outside}",
        "PROBE_URL": f"http://127.0.0.1:{inside}/health/ready/",
        "TRUSTED_PROXY_COUNT": "1",
        "EMAIL_URL": "dummymail://",
        "SSL_CERT_FILE": str(folder / "fullchain.pem"),
        "LD_LIBRARY_PATH": str(root / "usr/lib/x86_64-linux-gnu"),
        "HOME": str(folder),
    }
    manage = [sys.executable, "manage.py"]
    site = [
        [
            sys.executable,
            "-m",
            "gunicorn",
            "scrub_site.wsgi",
            "--bind",
            f"127.0.0.1:{inside}",
            "--no-control-socket",
        ],
        [*manage, "run_loop"],
        *([*manage, "rqworker", queue, "--verbosity=0"] for queue in ("default", "mail", "calls")),
    ]
    with running([PROXIES[name](text, folder, root), *site], environment):
        for _ in range(12):
            time.sleep(10)
            checked = subprocess.run(
                [*manage, "check_site"], env=environment, cwd=PROJECT, check=False, capture_output=True, text=True
            )
            if not checked.returncode:
                break
    print(f"{name}: {checked.stdout}{checked.stderr}", flush=True)
    return not checked.returncode


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
            good.append(tried(name, folder, root))
    return not all(good)


if __name__ == "__main__":
    sys.exit(main())
