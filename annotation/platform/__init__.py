"""What every subject stands on: accounts, the audit trail, tasks, the clock, mail, up-time, life cycles, texts, tables."""
