"""Settings: everything that differs between machines comes from the environment.

`DATABASE_URL` and `REDIS_URL` are given by the operator or by `scrub_site.local_stack`; nothing here starts,
looks for or guesses a server.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF

from scrub_site.database import roles as database_roles
from scrub_site.environment import (
    LOG_LEVELS,
    database,
    database_url,
    demo_mode,
    hosts,
    listed,
    log_format,
    mail_server,
    number,
    numbers,
    one_of,
    origins,
    proxy_count,
    redis_url,
    secret_key,
    sender,
    site_url,
    switch,
    with_secrets,
)
from scrub_site.probe import USUAL_SITE
from scrub_site.static_files import inline_scripts

BASE_DIR = Path(__file__).resolve().parent.parent
env = with_secrets(os.environ)

# -- what kind of site this is -------------------------------------------------------------------------------
DEBUG = switch(env, "DEBUG", default=False)
# Demo mode, and only it, lets a visitor sign in as a demo person with one click and read all outgoing mail.
DEMO_MODE = demo_mode(wanted=switch(env, "DEMO_MODE", default=False), debug=DEBUG)
SECRET_KEY = secret_key(env.get("SECRET_KEY", ""), debug=DEBUG)
# Keys of before: what they have signed still counts, and nothing new is signed by them.
SECRET_KEY_FALLBACKS = listed(env.get("SECRET_KEY_FALLBACKS", ""))
SITE_URL = site_url(env.get("SITE_URL") or USUAL_SITE)
SITE_HOST = urlsplit(SITE_URL).netloc.removesuffix(f":{urlsplit(SITE_URL).port}")  # with the brackets of IPv6
# Health checks from inside ask for the site by its own name too.
LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = [SITE_HOST, *(hosts(env.get("ALLOWED_HOSTS", "")) or (LOOPBACK if DEBUG else []))]
CSRF_TRUSTED_ORIGINS = origins(env.get("CSRF_TRUSTED_ORIGINS", ""))
# The loop asks here whether the site answers, and keeps a record of when it did.
PROBE_URL = env.get("PROBE_URL") or f"{SITE_URL}/health/ready/"
# Who asks for figures, as Prometheus does, has to show it. Without one there are none.
METRICS_TOKEN = env.get("METRICS_TOKEN", "")
# While this file is there the site says that it is not ready: it is about to be replaced.
DRAIN_FILE = env.get("DRAIN_FILE", "")
STATE_DIR = Path(env.get("STATE_DIR") or str(BASE_DIR / ".local"))

# -- applications --------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "scrub_site.apps.ScrubSiteConfig",
    "analysis.apps.AnalysisConfig",
    "generation.apps.GenerationConfig",
    "annotation.apps.AnnotationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.admin",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
    "template_partials",
    "django_rq",
    "csp",
]

MIDDLEWARE = [
    "scrub_site.watching.middleware.MetricsMiddleware",  # asked from inside, by whatever name
    "django.middleware.security.SecurityMiddleware",
    "scrub_site.static_files.other_releases.StaticFilesMiddleware",  # above the policy of pages
    "scrub_site.watching.middleware.RequestMiddleware",
    "csp.middleware.CSPMiddleware",
    "scrub_site.database.sessions.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "annotation.people.middleware.FramedSignInMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "annotation.people.middleware.KnownDeviceMiddleware",
    "annotation.people.middleware.SecondFactorMiddleware",
    "annotation.people.middleware.PersonTimeZoneMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "scrub_site.urls"
WSGI_APPLICATION = "scrub_site.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "scrub_site.context_processors.site",
            ],
            # Tags live with their subject, where Django does not look for them.
            "libraries": {
                "design": "annotation.design.templatetags",
                "durations": "annotation.platform.templatetags.durations",
                "files": "annotation.platform.templatetags.files",
                "judging": "annotation.judging.templatetags",
                "progress": "annotation.coordination.templatetags",
                "amounts": "generation.calls.templatetags",
                "funnel": "generation.sources.templatetags",
                "pool_figures": "generation.prompts.templatetags",
                "figures": "analysis.report.templatetags",
            },
        },
    }
]

FORM_RENDERER = "annotation.platform.forms.rendering.FormRenderer"

# -- data ----------------------------------------------------------------------------------------------------
DATABASES = {"default": database(env.get("DATABASE_URL", ""))}
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
OPTIONS = DATABASES["default"].setdefault("OPTIONS", {})
# A database that is not there, or does not say a word, is away within seconds: whoever waits is told so, and nobody
# else waits for the same thread. The address may say otherwise.
OPTIONS |= {"connect_timeout": 3, "keepalives_idle": 10, "tcp_user_timeout": 10_000} | OPTIONS
# What a connection asks for the sixth time is prepared: planning it anew costs more than running it.
OPTIONS.update(server_side_binding=True, prepare_threshold=5)
# Each thread of a web server keeps its connection. Workers fork for each job, which a connection does not survive.
if kept := number(env, "DATABASE_KEEP_SECONDS", default=0, least=0):
    DATABASES["default"]["CONN_MAX_AGE"] = kept
    # What the rooms ask has one good plan for every value. Making it again for each costs more than running it.
    OPTIONS["options"] = f"{OPTIONS.get('options', '')} -c plan_cache_mode=force_generic_plan".strip()

# Whatever prepares the database is told, besides its own address, those of whoever may make roles and of the roles.
ROLE_ADDRESSES = {
    name: (env.get(name) and database_url(name, env[name])) or ""
    for name in (database_roles.MAKER, *database_roles.ADDRESSES.values())
}

REDIS_URL = redis_url(env.get("REDIS_URL", ""))
# An attempt at background work that takes longer, in seconds, is broken off; other times for single kinds of work.
WORK_TIME_LIMIT = number(env, "WORK_TIME_LIMIT", default=900, least=1)
WORK_TIME_LIMITS = numbers(env, "WORK_TIME_LIMITS")
# A worker that listens to one queue moves a job atomically and cannot lose it while fetching. Calls to models and
# mails have a queue, and so workers, of their own: a code to sign in by waits behind no analysis.
RQ_QUEUES = {name: {"URL": REDIS_URL, "DEFAULT_TIMEOUT": WORK_TIME_LIMIT} for name in ("default", "mail", "calls")}
# More providers and models than those shipped, or other facts about them: a TOML file of the operator's.
PROVIDERS_FILE = env.get("PROVIDERS_FILE", "")
# A worker that has said nothing of its calls for so long, in seconds, is taken for dead, and they go out again.
LEASE_SECONDS = number(env, "LEASE_SECONDS", default=60, least=1)
# How many workers at most work on one run side by side.
LANES = number(env, "LANES", default=2, least=1)

# Days for which what is of no use any more is kept before it goes by itself, by what it is.
KEEP_DAYS = {"sessions": 0, "tasks": 90, "side_texts": 365, "failed_attempts": 365} | numbers(env, "KEEP_DAYS")

# Whoever coordinates a study may set up another one; else administrators alone set studies up.
COORDINATORS_CREATE_STUDIES = switch(env, "COORDINATORS_CREATE_STUDIES", default=DEMO_MODE)
RQ = {"COMMIT_MODE": "auto", "WORKER_CLASS": "scrub_site.workers.ForkingWorker"}

# Rate limits and one-time codes must hold across processes and must not vanish with Redis.
# The backend's own limit of 300 entries would let anybody push out the counters that hold them back.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "scrub_cache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}

# -- people --------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = ["annotation.accounts.PersonBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "annotation.accounts.InvitationOnlyAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"  # the personal invitation link has proved the address already
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_FORMS = {
    "login": "annotation.people.forms.sign_in.SignInForm",
    "confirm_login_code": "annotation.people.forms.sign_in.MailedCodeForm",
    "change_password": "annotation.people.forms.sign_in.OtherPasswordForm",
    "reset_password_from_key": "annotation.people.forms.sign_in.NewPasswordForm",
    "set_password": "annotation.people.forms.sign_in.FirstPasswordForm",
}
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 600  # seconds; mail is not always there within allauth's three minutes
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # an open session alone changes no address
ACCOUNT_EMAIL_NOTIFICATIONS = True  # changes of password, address or authenticator are mailed to the person
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ADAPTER = "annotation.accounts.SecondFactorAdapter"
MFA_TOTP_ISSUER = "SCRuB Studio"
MFA_FORMS = {"activate_totp": "annotation.people.forms.second_factor.SetUpForm"}
# allauth's limits, but that a password is tried five times for an account, and besides on each device on which its
# person is known; and that those by address are for devices that nobody knows. Failures by address are counted once
# a password has been tried: of many at once no more than `login_unknown` are.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_unknown": "30/m/ip",
    "login_failed": "5/5m/key",
    "login_failed_unknown": "10/m/ip",
}
# Behind a proxy the limits need the visitor's address, not the proxy's: see `annotation.accounts`.
ALLAUTH_TRUSTED_PROXY_COUNT = proxy_count(env.get("TRUSTED_PROXY_COUNT", ""))
SESSION_ENGINE = "scrub_site.database.sessions"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SITE_URL.startswith("https")

# -- mail ----------------------------------------------------------------------------------------------------
DEFAULT_FROM_EMAIL = sender(env.get("DEFAULT_FROM_EMAIL") or "SCRuB Studio <studio@localhost>")
MAIL_OUTBOX_DIR = STATE_DIR / "mail"
if DEMO_MODE:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = MAIL_OUTBOX_DIR
else:
    vars().update(mail_server(env.get("EMAIL_URL") or "consolemail://"))
    EMAIL_TIMEOUT = 20  # seconds; a mail server that hangs holds no worker up

# -- security ------------------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, *inline_scripts.csp_sources()],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],  # the authenticator app's QR code is an inline image
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if SITE_URL.startswith("https"):
    # The proxy that ends TLS must set this header itself and never pass a visitor's own on.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^health/"]  # asked from inside, without TLS
    SECURE_HSTS_SECONDS = number(env, "HSTS_SECONDS", default=3600, least=0)
# Whether subdomains and browsers' preload lists follow is for the owner of the whole domain to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# -- language, time, files -----------------------------------------------------------------------------------
LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(env.get("STATIC_ROOT") or str(BASE_DIR / "staticfiles"))
# Where the hashed files of other releases are, which rooms that were open while the site was updated still ask for.
KEPT_STATIC_ROOT = env.get("KEPT_STATIC_ROOT", "")
# While developing and testing, static files are served from where they are written.
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False  # these files are for this site
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "scrub_site.static_files.storage.HashedStorage"
    },
}

# -- logs ----------------------------------------------------------------------------------------------------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{levelname:<7} {name}: {message}", "style": "{"},
        "json": {"()": "scrub_site.watching.logs.JsonLines"},
    },
    "filters": {"without_secret_paths": {"()": "scrub_site.watching.logs.WithoutSecretPaths"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": log_format(env),
            "filters": ["without_secret_paths"],
        }
    },
    "root": {
        "handlers": ["console"],
        "level": one_of(env, "LOG_LEVEL", choices=LOG_LEVELS, default="INFO"),
    },
    # RQ reports every job five times, httpx every request and fontTools every glyph; what went wrong is enough.
    # A request that was refused has its line already.
    "loggers": {
        **{name: {"level": "WARNING"} for name in ("rq.worker", "httpx", "fontTools", "matplotlib")},
        "django.request": {"level": "ERROR"},
    },
}
