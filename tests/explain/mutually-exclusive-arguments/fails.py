import subprocess

# throws: ValueError "stdout and stderr arguments may not be used with capture_output."
subprocess.run(["true"], capture_output=True, stdout=subprocess.DEVNULL)
