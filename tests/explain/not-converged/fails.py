def root(value: float, steps: int) -> float:
    """Approach the square root of `value` by Newton's method."""
    guess = value
    for _ in range(steps):
        better = (guess + value / guess) / 2
        if abs(better - guess) < 1e-9:
            return better
        guess = better
    # throws: ArithmeticError "did not converge in 3 steps"
    raise ArithmeticError(f"did not converge in {steps} steps")


root(1e6, steps=3)
