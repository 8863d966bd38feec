"""What the panel of judge models said, beside people."""
