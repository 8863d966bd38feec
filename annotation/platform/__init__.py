"""What every subject stands on: accounts, audit trail, tasks, clock, mail, up-time, life cycles, tables."""
