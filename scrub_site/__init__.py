"""The site: its settings, addresses and processes."""

import os

# Loaded before NumPy is. Figures must not depend on how many cores a machine has, which sums of several threads do;
# and threads of several processes on few cores mostly wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
