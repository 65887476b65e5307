"""A causal language model of eight words, for transformers: `python tiny_model.py FOLDER`."""

import sys

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

WORDS = ("<unk>", "</s>", "Yes", "No", "maybe", "because", "none", "lunch")
LENGTH = 64
"""Tokens of its context, which every prompt exceeds."""


def write_tiny_model(folder: str) -> None:
    """Write a random model and its tokenizer."""
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    special = {"unk_token": "<unk>", "eos_token": "</s>", "pad_token": "</s>"}
    PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, model_max_length=LENGTH, **special
    ).save_pretrained(folder)
    torch.manual_seed(4)
    config = LlamaConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=LENGTH,
        eos_token_id=1,
        pad_token_id=1,
        bos_token_id=None,
    )
    LlamaForCausalLM(config).save_pretrained(folder)


if __name__ == "__main__":
    write_tiny_model(sys.argv[1])
