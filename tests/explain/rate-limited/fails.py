class Service:
    """Allows two requests a second."""

    def __init__(self) -> None:
        self.seen: list[float] = []

    def ask(self, now: float) -> str:
        """Answer, unless two answers were given within the last second."""
        self.seen = [moment for moment in self.seen if now - moment < 1]
        if len(self.seen) == 2:
            # throws: RuntimeError "too many requests: 2 a second are allowed"
            raise RuntimeError("too many requests: 2 a second are allowed")
        self.seen.append(now)
        return "answer"


service = Service()
for moment in (0.0, 0.1, 0.2):
    service.ask(moment)
