"""A Hugging Face model of random weights: trained, saved, loaded, and asked to go on with a text."""

import json
import sys
import tempfile

import torch
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

device = sys.argv[1]
small = {"vocab_size": 100, "pad_token_id": 0}
models = {
    "gpt2": lambda: GPT2LMHeadModel(
        GPT2Config(n_layer=2, n_head=2, n_embd=32, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0, **small)
    ),
    "llama": lambda: LlamaForCausalLM(
        LlamaConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, **small)
    ),
}
results = {}
for name, make in models.items():
    torch.manual_seed(0)
    model = make().to(device)
    ids = torch.randint(1, 100, (2, 12)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for _ in range(4):
        loss = model(ids, labels=ids).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    with tempfile.TemporaryDirectory() as place:
        model.save_pretrained(place)
        again = type(model).from_pretrained(place).to(device).eval()
    results[name] = [losses, again.generate(ids[:, :4], max_new_tokens=6, do_sample=False).tolist()]
print(json.dumps(results))
