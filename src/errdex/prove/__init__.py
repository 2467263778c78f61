"""An explanation to a proof: witness and fix, run in a sandbox."""
