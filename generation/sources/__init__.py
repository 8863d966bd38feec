"""Where prompts come from: benchmarks, concepts with quotations, tables of somebody’s own."""
