from datetime import UTC, datetime

datetime(2026, 1, 1, tzinfo=UTC) < datetime(2026, 1, 2, tzinfo=UTC)
