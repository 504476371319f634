"""Data that can be learnt."""

import torch
from torch.utils.data import DataLoader, TensorDataset


def batches(device, count=64, size=16, seed=0):
    """Batches of points and the class each is of; pinned where they go to a GPU."""
    generator = torch.Generator().manual_seed(seed)
    points = torch.randn(count, 8, generator=generator)
    labels = points[:, :4].argmax(dim=1)
    return DataLoader(
        TensorDataset(points, labels),
        batch_size=size,
        shuffle=True,
        generator=generator,
        pin_memory=device.type == "cuda",
    )


class Prefetcher:
    """Copies the next batch on a stream of its own while the last one is worked on."""

    def __init__(self, loader, device):
        self.loader = loader
        self.device = device
        self.stream = torch.cuda.Stream(device) if device.type == "cuda" else None

    def __iter__(self):
        for points, labels in self.loader:
            if self.stream is None:
                yield points, labels
                continue
            with torch.cuda.stream(self.stream):
                points = points.cuda(self.device, non_blocking=True)
                labels = labels.cuda(self.device, non_blocking=True)
            torch.cuda.current_stream().wait_stream(self.stream)
            points.record_stream(torch.cuda.current_stream())
            yield points, labels
