"""The engine: QuickJS-ng as WebAssembly on wasmtime. Nothing outside of this package knows that.

Behind a few verbs (`Guest.boot`, `run`, `settle`, `stop`, `close`) a second engine would fit.
"""
