"""pytorch-ignite's engines, metrics and checkpoints."""

import json
import sys
import tempfile

import torch
from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from ignite.handlers import Checkpoint, DiskSaver
from ignite.metrics import Accuracy, Loss
from torch.utils.data import DataLoader, TensorDataset

device = sys.argv[1]
torch.manual_seed(0)
points = torch.randn(64, 10)
data = DataLoader(TensorDataset(points, (points.sum(1) > 0).long()), batch_size=16)
model = torch.nn.Sequential(torch.nn.Linear(10, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
criterion = torch.nn.CrossEntropyLoss()
trainer = create_supervised_trainer(model, optimizer, criterion, device=device)
evaluator = create_supervised_evaluator(model, {"accuracy": Accuracy(), "loss": Loss(criterion)}, device=device)
seen = []


@trainer.on(Events.EPOCH_COMPLETED)
def _evaluate(_):
    evaluator.run(data)
    seen.append([evaluator.state.metrics["accuracy"], evaluator.state.metrics["loss"]])


with tempfile.TemporaryDirectory() as place:
    saver = Checkpoint({"model": model, "optimizer": optimizer}, DiskSaver(place), n_saved=1)
    trainer.add_event_handler(Events.EPOCH_COMPLETED, saver)
    trainer.run(data, max_epochs=3)
    kept = torch.load(saver.last_checkpoint, map_location="cuda" if device != "cpu" else "cpu")
    model.load_state_dict(kept["model"])
evaluator.run(data)
print(json.dumps([*seen, [evaluator.state.metrics["accuracy"], evaluator.state.metrics["loss"]]]))
