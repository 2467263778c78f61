import threading

thread = threading.Thread(target=print)
thread.start()
thread.join()
