"""Stylesheets and scripts as browsers get them: put together, under names of their content, kept for open pages."""
