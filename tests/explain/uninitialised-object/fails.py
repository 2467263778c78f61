import threading

thread = threading.Thread(target=print)
# throws: RuntimeError "cannot join thread before it is started"
thread.join()
