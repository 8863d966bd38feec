"""What the web server imports."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - read now, so that no first visitor waits for the views to load

# What is loaded by now stays for good: the collector need not look at it again with every request.
gc.collect()
gc.freeze()
