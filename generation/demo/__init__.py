"""A provider without a network, and the artificial texts it answers with."""
