"""The models that a study works with, and the templates they are asked by."""
