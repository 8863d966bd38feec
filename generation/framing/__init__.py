"""Prompts put under pressure: rewritten into conversational framings, checked, answered and scored."""
