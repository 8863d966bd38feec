"""Judgments joined with their sources, and the analysis of both."""
