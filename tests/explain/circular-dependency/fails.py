from graphlib import TopologicalSorter

# throws: CycleError "('nodes are in a cycle', ['a', 'b', 'a'])"
TopologicalSorter({"a": ["b"], "b": ["a"]}).prepare()
