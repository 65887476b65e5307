"""The fictional people, one module each; every module declares one `ITEM`.

For benchmarking only: not medical advice, written by engineers from cited sources, not reviewed by
a physician.
"""
