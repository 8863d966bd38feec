"""Deciding on a study: its parameters by section, what they ask for, its rubric, its protocol on paper."""
