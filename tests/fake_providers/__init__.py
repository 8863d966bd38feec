"""Providers that run on this machine and fail on demand.

A real server over a real socket, one module per wire format. What it answers by default is what the provider's own
types accept; every other documented answer is a named case of its format.
"""
