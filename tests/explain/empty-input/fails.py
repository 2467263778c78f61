import statistics

# throws: StatisticsError "mean requires at least one data point"
statistics.mean([])
