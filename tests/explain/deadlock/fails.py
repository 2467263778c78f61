import threading

# throws: RuntimeError "cannot join current thread"
threading.current_thread().join()
