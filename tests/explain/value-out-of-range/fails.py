from datetime import date

# throws: ValueError "month must be in 1..12"
date(2026, 13, 1)
