"""Answers by models, on their way into a study."""
