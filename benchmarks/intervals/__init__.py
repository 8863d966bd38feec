"""What the benchmarks are made of: clients, studies to measure, and the processes they run against."""
