"""A loop over pictures as torchvision's references have it: workers, pinned batches, channels last, a scaler."""

import json
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset
from transformers import ResNetConfig, ResNetForImageClassification

device = sys.argv[1]
torch.manual_seed(0)
pictures = TensorDataset(torch.randn(32, 3, 32, 32), torch.randint(0, 5, (32,)))
loader = DataLoader(pictures, batch_size=8, num_workers=2, pin_memory=device != "cpu")
sizes = {"embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1], "layer_type": "basic", "num_labels": 5}
model = ResNetForImageClassification(ResNetConfig(**sizes)).to(device, memory_format=torch.channels_last)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 2)
scaler = torch.amp.GradScaler(device, enabled=device != "cpu", init_scale=2.0)
losses = []
for _ in range(2):
    model.train()
    for picture, label in loader:
        picture = picture.to(device, non_blocking=True).contiguous(memory_format=torch.channels_last)
        label = label.to(device, non_blocking=True)
        with torch.autocast(device, dtype=torch.bfloat16, enabled="--amp" in sys.argv):
            loss = torch.nn.functional.cross_entropy(model(picture).logits, label)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    schedule.step()
model.eval()
with torch.inference_mode():
    right = sum((model(p.to(device)).logits.argmax(1) == c.to(device)).sum().item() for p, c in loader)
print(json.dumps({"losses": losses, "right": right}))
