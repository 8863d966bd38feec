"""What the web server imports."""

import gc
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
try:
    application = get_wsgi_application()
    get_resolver().url_patterns  # noqa: B018 - read now, so that no first visitor waits for the views to load
except ImproperlyConfigured as fault:
    sys.exit(f"The web server does not start. {fault}")

# What is loaded by now stays for good: the collector need not look at it again with every request.
gc.collect()
gc.freeze()
