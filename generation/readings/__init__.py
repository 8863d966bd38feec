"""Texts read by models, blind to their source, for what gives it away."""
