import threading

thread = threading.Thread(target=print)
thread.start()
# throws: RuntimeError "threads can only be started once"
thread.start()
