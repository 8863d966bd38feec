"""The database besides its models: roles, what migrations may do, sessions, restoring and cleaning up."""
