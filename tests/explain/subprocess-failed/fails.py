import subprocess

# throws: CalledProcessError "Command '['false']' returned non-zero exit status 1."
subprocess.run(["false"], check=True)
