"""Data sets that a study publishes: built, described, verified, withdrawn from."""
