import statistics

statistics.mean([3, 4])
