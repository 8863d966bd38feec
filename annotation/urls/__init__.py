"""URLs of people, writing, judging and coordination, a file each."""
