"""Which tests long runs alone make: dear ones that reach hardly a line of code which shorter ones do not reach.

    LINES=FOLDER make test PYTEST_ARGS="-p scripts.long_runs.recording -n2 --dist=loadgroup -m 'not browser'"
    python -m scripts.long_runs FOLDER

The first takes an hour: each test is recorded with the lines that it runs and its seconds of processor. The second
draws up `tests/long_runs.txt`. What is on it runs where the environment has THOROUGH=1, and where a file or a test
is asked for by its name.

That a test's lines are reached by others does not mean that others would notice a fault in them. `scripts.mutants`
tells: what a test of the list alone notices is a reason for `tests/always_run.txt`. What tests reach that drive a
browser or start processes is not recorded: they come to the end of the list by hand.
"""
