"""What an analysis reads: judgments and studies as tidy tables, and what was asked of it."""
