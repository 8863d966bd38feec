"""How sure a figure is: intervals, resamples of prompts and judges, components of variance."""
