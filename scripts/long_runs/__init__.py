"""Which tests long runs alone make: the dearest of each file, by what they took in a run that was timed.

    TIMES=FOLDER THOROUGH=1 make test PYTEST_ARGS="-p scripts.long_runs.timing -n2 -m 'not browser'"
    python -m scripts.long_runs FOLDER

The first writes the seconds of processor that each test takes, of its own process and of those that it starts. The
second draws up `tests/long_runs.txt`. What is on it runs where the environment has THOROUGH=1, and where a file or
a test is asked for by its name.

Whether what stays notices what all of them notice, `scripts.mutants` tells: what a test of the list alone notices
is a reason for `tests/always_run.txt`. Tests that drive a browser take their time in the browser, which counts for
none of them: they come to the end of the list by hand.
"""
