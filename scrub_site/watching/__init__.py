"""What an operator sees of the site: logs, figures, its state and what is wrong with it."""
