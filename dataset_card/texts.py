"""What the card and the Croissant file say alike."""

HOME = "https://huggingface.co/datasets/healthloopqa/healthloopqa"
TAGS = ("diabetes", "time-series", "glucose", "longevity", "benchmark", "synthetic")
CITATION = f"""@misc{{healthloopqa,
  title = {{HealthLoopQA: questions over a month of diabetes monitoring and advice on longevity}},
  author = {{{{HealthLoopQA contributors}}}},
  year = {{2026}},
  url = {{{HOME}}}
}}"""
