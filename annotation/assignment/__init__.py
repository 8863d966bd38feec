"""Who works on what: designs drawn from the seed, their certificate, judging items, repairs."""
