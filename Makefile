# One way to do each thing. `make demo` and `make test` are all a new machine needs.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
export PORT
# Modules are compiled once, and not anew by each of the many processes.
unexport PYTHONDONTWRITEBYTECODE

# Two processes more than the two cores, because browser tests wait most of their time: with one more a quarter of the
# cores was idle. `make test PYTEST_ARGS="-k ranking"` runs some tests in one.
PYTEST_ARGS ?= --quiet --numprocesses=4 --dist=loadgroup

# Checks need settings but no server: nothing connects to these addresses.
CHECK_ENV := DEBUG=1 DATABASE_URL=postgres://nobody@/none?host=/nowhere REDIS_URL=unix:///nowhere

.PHONY: install demo prompts browser test check check-types check-rest format bench bench-analysis bench-arrivals bench-assignment bench-calls bench-judges \
	bench-prompts bench-rooms bench-writers lock docs inventory drill

install: $(VENV)/installed

$(VENV)/installed: requirements/development.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 …"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/installer.txt
	@$(BIN)/uv pip install --quiet --require-hashes --requirement requirements/development.txt
	@touch $@

demo: install
	@$(BIN)/python -m scrub_site.local_stack demo

# From sources to a sample of prompts by the demonstration's models, which cost nothing: `make prompts BBQ=FOLDER`,
# the folder with BBQ's files. Given again, it goes on where it was broken off. The demonstration's coordinator
# approves the runs.
PROMPTS := .local/prompts
prompts: install
	@test -d "$(BBQ)" || { echo "Say where BBQ's files are: make prompts BBQ=FOLDER"; exit 1; }
	@DEMO_MODE=1 DEBUG=1 $(BIN)/python -m scrub_site.local_stack run --state $(PROMPTS) -- sh -ec '\
		$(BIN)/python manage.py migrate --verbosity=0; \
		$(BIN)/python manage.py createcachetable; \
		$(BIN)/python manage.py load_demo; \
		$(BIN)/python manage.py import_source bbq "$(BBQ)"; \
		$(BIN)/python manage.py build_prompts next --source=bbq --source=concepts --source=questions \
			--by=ines.okafor@example.org --at-most=1000 --out=$(PROMPTS)/files'
	@echo "To look at it: $(BIN)/python -m scrub_site.local_stack demo --state $(PROMPTS)"

# The demonstration backed up, restored into an empty database and checked. FROM: another server to back up.
drill: install
	@DRILL_FROM="$(FROM)" $(BIN)/python -m scrub_site.local_stack run --throwaway --state .local/drill -- $(BIN)/python -m scripts.drill

# What tests and the judges' benchmark drive.
browser: install
	@sh scripts/browser

test: browser
	@DEBUG=1 $(BIN)/python -m scrub_site.local_stack run --throwaway --state .local/test -- $(BIN)/python -m pytest $(PYTEST_ARGS)

# Types take as long as all the rest, beside which they are checked.
check: install
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-types check-rest

check-types: install
	$(CHECK_ENV) $(BIN)/mypy .

check-rest: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/djlint --quiet --check --lint templates
	@DEBUG=1 $(BIN)/python -m scrub_site.local_stack run --throwaway --state .local/check -- $(BIN)/python manage.py makemigrations --check --dry-run
	$(CHECK_ENV) $(BIN)/python manage.py write_docs --check

format: install
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	-$(BIN)/djlint --quiet --reformat templates

docs: install
	$(CHECK_ENV) $(BIN)/python manage.py write_docs

# What a move of modules and files must not change, recorded into a folder; `scripts/inventory` says how two compare.
DEMO := .local/inventory/demo.zip
inventory: install
	@test -n "$(OUT)" || { echo "Say where to: make inventory OUT=FOLDER"; exit 1; }
	@test -e "$(DEMO)" || $(BIN)/python -m scripts.inventory demo "$(DEMO)"
	@$(BIN)/python -m scripts.inventory record "$(OUT)" --demo "$(DEMO)"

# What is measured runs without DEBUG, and so with a key of its own.
PRODUCTION := DEBUG=0 SECRET_KEY=$$($(PYTHON) -c 'import secrets; print(secrets.token_urlsafe(50))')

bench: install
	@$(PRODUCTION) $(BIN)/python -m scrub_site.local_stack run --state .local/bench -- $(BIN)/python -m benchmarks
	@$(BIN)/python -m benchmarks.kills

# What judges wait for: pages, scores, submissions.
bench-judges: browser
	@$(PRODUCTION) $(BIN)/python -m scrub_site.local_stack run --state .local/bench-judges -- $(BIN)/python -m benchmarks.judges $(BENCH_ARGS)
	@$(PRODUCTION) $(BIN)/python -m scrub_site.local_stack run --state .local/bench-judges -- $(BIN)/python -m benchmarks.first_load

# A full study's report with its files, and ever more judgments: seconds of one core, and memory.
bench-analysis: install
	@$(BIN)/python -m benchmarks.analysis $(BENCH_ARGS)

# Designs of growing size, drawn and refused: seconds of one core, and memory.
bench-assignment: install
	@$(BIN)/python -m benchmarks.assignment

# Calls to models: planned by the hundred thousand, worked off at speed, with workers killed meanwhile, and eight
# runs of slow replies at once, which take twenty minutes.
BENCH_CALLS := DEBUG=1 $(BIN)/python -m scrub_site.local_stack run --state .local/bench-calls -- $(BIN)/python
bench-calls: install
	@$(BENCH_CALLS) manage.py migrate --verbosity=0
	@$(BENCH_CALLS) -m benchmarks.planning
	@$(BENCH_CALLS) -m benchmarks.calls
	@$(BENCH_CALLS) -m benchmarks.crowd
	@$(BENCH_CALLS) -m benchmarks.rate
	@$(BENCH_CALLS) -m benchmarks.rate --delay 0.3
	@$(BENCH_CALLS) -m benchmarks.light_jobs

# From sources to a sample of prompts, at full size.
bench-prompts: install
	@$(PRODUCTION) $(BIN)/python -m scrub_site.local_stack run --state .local/bench-prompts -- sh -ec '\
		$(BIN)/python manage.py migrate --verbosity=0; $(BIN)/python -m benchmarks.prompts $(BENCH_ARGS)'

# Many writers who arrive at once: waits, problems and losses, by how many they are.
bench-arrivals: install
	@$(PRODUCTION) $(BIN)/python -m scrub_site.local_stack run --state .local/bench-arrivals -- $(BIN)/python -m benchmarks.arrivals $(BENCH_ARGS)

# Both rooms in windows of every kind, light and dark: lines, heights, keys, and what axe objects to.
bench-rooms: browser
	@$(PRODUCTION) $(BIN)/python -m scrub_site.local_stack run --state .local/bench-rooms -- $(BIN)/python -m benchmarks.rooms $(BENCH_ARGS)

# A room full of writers; `make bench-writers BENCH_ARGS="--minutes 30"`, or `--flat-out`.
bench-writers: install
	@$(BIN)/python -m benchmarks.writers $(BENCH_ARGS)

# Writes the locked requirements anew from pyproject.toml.
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --no-emit-index-url --python-version 3.11
lock:
	$(LOCK) pyproject.toml -o requirements/production.txt
	$(LOCK) pyproject.toml --extra local --extra development -o requirements/development.txt
	echo 'uv~=0.13' | $(LOCK) - -o requirements/installer.txt
