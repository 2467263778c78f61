from graphlib import TopologicalSorter

TopologicalSorter({"a": ["b"], "b": []}).prepare()
