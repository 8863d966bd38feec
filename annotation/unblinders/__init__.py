"""The office of unblinder: who may lift a study's blinding, how they come into office, lose it, and get it back."""
