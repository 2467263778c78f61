from concurrent.futures import Future

future: Future[int] = Future()
future.cancel()
# throws: CancelledError ""
future.result()
