"""Constitutional trials: whether value frameworks change conclusions without costing integrity."""
