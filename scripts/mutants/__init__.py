"""Whether the tests can fail: small faults drawn by a published seed, and the tests that notice them.

    python -m scripts.mutants draw FILE --seed 17     which faults, as lines of JSON
    python -m scripts.mutants try FILE --tree CLONE   prints of each the first test that fails, if any

The tree is a clone with an environment of its own (`make install browser`), which is changed and put back. For two
clones at once there are `--share 1/2` and `--share 2/2`. To compare two states of the tests, try the same file in a
clone of each: a fault is found again by what it replaces.

Faults are drawn from the core; from services, policies, selectors and constraints; from views and templates; from
scripts and style sheets. A fault is one expression turned round, one value changed, or one call, constraint, output
or declaration left out.
"""
