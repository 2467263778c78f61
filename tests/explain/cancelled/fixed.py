from concurrent.futures import Future

future: Future[int] = Future()
future.set_result(42)
future.result()
