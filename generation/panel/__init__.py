"""Scores by a panel of models that judge from disciplinary perspectives."""
