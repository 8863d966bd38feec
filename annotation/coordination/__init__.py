"""Watching a study and helping it on: progress, forecasts, single people, reminders, payments."""
