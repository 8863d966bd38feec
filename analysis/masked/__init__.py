"""The analysis of masked judgments: this code cannot look up who wrote an answer."""
