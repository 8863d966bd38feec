"""The report of an analysis: its figures, their exhibits and sentences, its files and pages."""
