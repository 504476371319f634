"""Training, with mixed precision where a GPU has it."""

import time

import torch
from torch import nn
from torch.cuda.amp import GradScaler

from .data import Prefetcher


class Stopwatch:
    """Seconds, by events on a GPU and by the clock elsewhere."""

    def __init__(self, device):
        self.cuda = device.type == "cuda"
        self.seconds = 0.0

    def __enter__(self):
        if self.cuda:
            self.start, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            self.start.record()
        else:
            self.start = time.perf_counter()
        return self

    def __exit__(self, *_):
        if self.cuda:
            self.end.record()
            torch.cuda.synchronize()
            self.seconds = self.start.elapsed_time(self.end) / 1000
        else:
            self.seconds = time.perf_counter() - self.start


class Trainer:
    """Trains a model on a device."""

    def __init__(self, model, device, amp=True, rate=0.05):
        self.device = device
        self.model = model.to(device)
        self.amp = amp and device.type == "cuda"
        self.scaler = GradScaler(enabled=self.amp)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=rate, momentum=0.9)
        self.loss = nn.CrossEntropyLoss()

    def step(self, points, labels):
        """One batch; its loss."""
        self.optimizer.zero_grad()
        with torch.autocast(device_type=self.device.type, dtype=torch.bfloat16, enabled=self.amp):
            loss = self.loss(self.model(points), labels)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()

    def epoch(self, loader):
        """All batches; their mean loss and the seconds that they took."""
        with Stopwatch(self.device) as watch:
            losses = [self.step(points, labels) for points, labels in Prefetcher(loader, self.device)]
        return sum(losses) / len(losses), watch.seconds
