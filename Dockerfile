# One image for the web servers, the workers, the loop and the migrations, and one for backups; docker-compose.yml says
# which is which.

# The server's own programs, of its own version, and age, which encrypts.
FROM postgres:18 AS backup
RUN apt-get update && apt-get install --yes --no-install-recommends age && rm -rf /var/lib/apt/lists/*
COPY deploy/backup/scrub-backup /usr/local/bin/
USER 10001
ENTRYPOINT ["scrub-backup"]
CMD ["schedule"]


FROM python:3.11-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /app

# Only what has its hash in the lock file, as wheels: nothing is compiled. One package is published as source alone,
# which is Python's.
COPY requirements/production.txt requirements/
RUN python -m venv --without-pip /venv \
    && pip --python /venv/bin/python install --require-hashes --only-binary :all: --no-binary jsonpath-rw -r requirements/production.txt

# The settings want these three; collecting static files uses none of them. The key is forgotten.
COPY . .
RUN SECRET_KEY=$(python -c 'import secrets; print(secrets.token_urlsafe(50))') DATABASE_URL=postgres://nobody@nowhere/none REDIS_URL=redis://nowhere \
    /venv/bin/python manage.py collectstatic --no-input


FROM python:3.11-slim
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
# What Matplotlib knows of letters, found out once for all processes of a container.
ENV MPLCONFIGDIR=/tmp/matplotlib
WORKDIR /app
COPY --from=build /venv /venv
COPY --from=build /app /app

# An account that owns nothing and may write nothing, but for the folder of other releases' static files, where a
# volume is mounted.
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin scrub && install --directory --owner=10001 /static
USER 10001

EXPOSE 8000
STOPSIGNAL SIGTERM
# A machine that has much to do takes its time to start; once it has answered it is well.
HEALTHCHECK --interval=15s --timeout=10s --start-period=180s \
    CMD ["python", "-m", "scrub_site.probe", "http://localhost:8000/health/live/"]
CMD ["gunicorn", "scrub_site.wsgi:application", "--bind", "0.0.0.0:8000", "--no-control-socket", "--preload", \
     "--workers", "2", "--threads", "4", "--worker-class", "gthread"]
