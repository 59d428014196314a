"""`image.*` and `canvas`: what a guest does with pictures, in a worker process of its run.

`power` and `bridge` are the embedding process's half. Everything else runs in the worker: `table` lists
what it can be asked, `opening` is where bytes of a guest meet a decoder, and every limit stands before it.
"""
