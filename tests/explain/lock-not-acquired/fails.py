import threading

lock = threading.Lock()
# throws: RuntimeError "release unlocked lock"
lock.release()
