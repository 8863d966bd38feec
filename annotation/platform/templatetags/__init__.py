"""What templates of every subject write in Python."""
