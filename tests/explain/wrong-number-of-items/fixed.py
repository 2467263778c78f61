import statistics

statistics.stdev([3, 4])
