"""Constitutional trials: scenarios with established facts, answered under frameworks of values, and evaluated."""
