"""Prompts written by models: judged, compared, drawn on a map, sampled for a study."""
