"""A study: its parameters, prompts, rubric and state, who takes part as what, answers as they are shown."""
