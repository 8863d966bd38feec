"""Lengths of time in words."""

from django import template

from annotation.platform.core.durations import in_words

register = template.Library()
register.filter("duration", in_words)
