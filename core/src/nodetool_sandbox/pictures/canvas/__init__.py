"""The canvas in a picture worker: what a guest recorded is checked (`recording`) and drawn with Skia (`painter`).

A canvas opens no file and no address for a program: fonts are those that the run began with (`fonts`), an
image is bytes or a handle, and a filter is a list of functions (`filters`).
"""
