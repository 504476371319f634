"""A training loop as it is written for an NVIDIA GPU: nothing in it knows of MUSA.

    torchada run --device cpu examples/try-out/train.py
"""

import torch


def main():
    """Train on points in and around a circle."""
    torch.manual_seed(0)
    points = torch.rand(512, 2, device="cuda") * 2 - 1
    inside = (points.square().sum(1) < 0.6).long()
    model = torch.nn.Sequential(torch.nn.Linear(2, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2)).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    scaler = torch.amp.GradScaler("cuda")
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for step in range(100):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = torch.nn.functional.cross_entropy(model(points), inside)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if step % 25 == 0:
            print(f"step {step:3}: loss {loss.item():.3f}")
    end.record()
    torch.cuda.synchronize()
    right = (model(points).argmax(1) == inside).float().mean()
    print(f"{right:.0%} right on {torch.cuda.get_device_name()}")


if __name__ == "__main__":
    main()
