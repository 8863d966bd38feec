"""Files of ratings from any study, analysed without one: brought by a researcher, explained, computed, kept."""
