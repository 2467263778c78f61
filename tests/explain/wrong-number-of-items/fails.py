import statistics

# throws: StatisticsError "stdev requires at least two data points"
statistics.stdev([3])
