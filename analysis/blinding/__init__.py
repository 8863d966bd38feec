"""Whether the blinding held: guesses, leaks, and all that follows from the seed, computed again."""
