"""Host calls in processes of their own, which can be stopped.

`pool` and `process` are the embedding process's half; `worker`, `serving` and `caps` are the worker's
and import little; `frames` is what the two say to each other.
"""
