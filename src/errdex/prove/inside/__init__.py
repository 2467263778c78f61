"""What runs inside the sandbox: standard library only, mounted there as plain files, imports nothing of ours.

`worker` imports the code under proof and forks a child for each batch of attempts;
`attempt` runs one program and says what came of it; `describe` says what a name is.
Everything these say is a hint to the search: a proof is made by `errdex.prove.confirm`.
"""
