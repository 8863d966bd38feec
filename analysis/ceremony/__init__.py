"""From closed data to known sources: closing, freezing, unblinding by two people, the record of it."""
