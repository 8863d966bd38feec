"""How texts enter a study: cleaned, scanned, held back. Here alone is known whose text is whose."""
