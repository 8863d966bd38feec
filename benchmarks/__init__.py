"""Measurements on a real server, a real database with fsync on, and loopback clients. Run with `make bench`."""
