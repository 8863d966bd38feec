"""Lengths of work in words."""

from django import template

from annotation.study.core.workload import in_hours

register = template.Library()
register.filter("hours", in_hours)
