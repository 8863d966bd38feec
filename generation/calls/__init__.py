"""Runs of calls to models: planned, approved, sent, recorded, and nothing paid for twice."""
