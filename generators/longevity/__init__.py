"""The longevity benchmark: profiles, evidence rules, prompts and the cases made of them.

Content for benchmarking only. It is not medical advice: engineers wrote it from cited sources and
no physician has reviewed it.
"""
