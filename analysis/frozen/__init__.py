"""What is frozen when collection is closed, without a word about who wrote what."""
