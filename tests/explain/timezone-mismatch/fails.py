from datetime import UTC, datetime

# throws: TypeError "can't compare offset-naive and offset-aware datetimes"
datetime(2026, 1, 1) < datetime(2026, 1, 2, tzinfo=UTC)
