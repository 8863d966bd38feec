"""Where models give way: scores of answers under pressure, compared with those of answers to the prompts."""
