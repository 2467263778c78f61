def depth(tree: list, level: int = 0) -> int:
    """Return how deep lists are nested, at most 20 levels."""
    if level > 20:
        # throws: RecursionError "nested more than 20 levels deep"
        raise RecursionError("nested more than 20 levels deep")
    return 1 + max((depth(item, level + 1) for item in tree), default=0)


tree: list = []
for _ in range(30):
    tree = [tree]
depth(tree)
