from datetime import date

date(2026, 12, 1)
