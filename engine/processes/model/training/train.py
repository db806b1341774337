"""Trains SmolLM2 on the groups that main.ts wrote, and goes on where it was interrupted.

    python train.py --base BASE.gguf --groups FILE --folder CHECKPOINTS [--total N] [--decay N] [--minutes N] [--threads N]

Every matrix is computed with as it will be written, in Q4_0: what is measured later is what was trained. The table of words stays
as it is. `checkpoint.pt` in the folder is replaced every ten minutes, and when the run is asked to end with SIGTERM or SIGINT;
`log.tsv` has a line for each ten steps.
"""

import argparse
import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from network import Sequence, Shape, Weights, loss_of
from quantised import rounded
from weights_file import read_weights

#: Of one step, padding aside: as many as keep the processor busy between two updates.
STEP_TOKENS = 1500
LONGEST = 1100
RATE = 4e-4
WARM_UP_STEPS = 15
SAVE_SECONDS = 600
TIME_TO_SETTLE = 0.35
TABLE = "token_embd.weight"


def sequence_of(group: dict) -> Sequence:
    shared = group["prefix"]
    tokens, positions, learnt = list(shared), list(range(len(shared))), [False] * len(shared)
    lengths = [len(shared)]
    for parts in group["conversations"]:
        size = sum(map(len, parts))
        if len(tokens) + size > LONGEST:
            continue
        for index, part in enumerate(parts):
            tokens.extend(part)
            learnt.extend([index % 2 == 1] * len(part))
        positions.extend(range(len(shared), len(shared) + size))
        lengths.append(size)
    ids = torch.tensor(tokens)
    # An answer's first token follows the last one that was given, in the same conversation: parts alternate.
    targets = torch.where(torch.tensor(learnt[1:] + [False]), ids.roll(-1), -100)
    return Sequence(ids, torch.tensor(positions), targets, lengths, [mask_of(index, lengths) for index in range(len(lengths))])


def mask_of(index: int, lengths: list[int]) -> Tensor:
    size = lengths[index]
    mask = torch.full((size, size), float("-inf"), dtype=torch.bfloat16).triu(1)
    return mask if index == 0 else torch.cat((torch.zeros((size, lengths[0]), dtype=torch.bfloat16), mask), 1)


def batches(path: Path, skip: int) -> Iterator[tuple[list[Sequence], int]]:
    """Groups of a step, and how many groups were read so far."""
    batch: list[Sequence] = []
    with path.open() as lines:
        for count, line in enumerate(lines, 1):
            if count <= skip:
                continue
            batch.append(sequence_of(json.loads(line)))
            if sum(len(s.tokens) for s in batch) >= STEP_TOKENS:
                yield batch, count
                batch = []


class Run:
    """What is learnt, in full numbers, and what the optimiser remembers."""

    def __init__(self, base: Path, folder: Path) -> None:
        self.shape, self.full = read_weights(base)
        self.folder = folder
        self.table = rounded(self.full[TABLE]).bfloat16()
        self.learnt = [name for name in self.full if name != TABLE]
        for name in self.learnt:
            self.full[name].requires_grad_(True)
        leaves = [self.full[name] for name in self.learnt]
        self.optimiser = torch.optim.AdamW(leaves, lr=RATE, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
        self.groups = self.steps = self.tokens = 0
        self.spent = 0.0
        if (folder / "checkpoint.pt").exists():
            self.load()

    def load(self) -> None:
        saved = torch.load(self.folder / "checkpoint.pt")
        with torch.no_grad():
            for name in self.learnt:
                self.full[name].copy_(saved["full"][name])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.groups, self.steps, self.tokens, self.spent = saved["counts"]

    def save(self) -> None:
        full = {name: self.full[name].detach() for name in self.learnt}
        counts = (self.groups, self.steps, self.tokens, self.spent)
        state = {"full": full, "optimiser": self.optimiser.state_dict(), "counts": counts}
        part = self.folder / "checkpoint.part"
        torch.save(state, part)
        os.replace(part, self.folder / "checkpoint.pt")

    def step(self, batch: list[Sequence], rate: float) -> float:
        used: Weights = {TABLE: self.table}
        with torch.no_grad():
            for name in self.learnt:
                numbers = self.full[name]
                used[name] = (numbers if numbers.ndim == 1 else rounded(numbers)).bfloat16()
        for name in self.learnt:
            used[name].requires_grad_(True)
        loss = loss_of(used, self.shape, batch)
        loss.backward()
        for name in self.learnt:
            gradient = used[name].grad
            assert gradient is not None
            # Rounding has no slope: the numbers behind it learn as if it were not there.
            self.full[name].grad = gradient.float()
        torch.nn.utils.clip_grad_norm_([self.full[name] for name in self.learnt], 1.0)
        for part in self.optimiser.param_groups:
            part["lr"] = rate
        self.optimiser.step()
        self.steps += 1
        self.tokens += sum(len(s.tokens) for s in batch)
        return loss.item()


class End:
    """When to stop: after so many groups in all, or minutes of this run. Before it the rate goes down to nothing."""

    def __init__(self, total: int, decay: int, minutes: float) -> None:
        self.total, self.decay, self.seconds = total, decay, minutes * 60
        self.began = time.monotonic()
        self.is_asked = False
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self.ask)

    def ask(self, *_: object) -> None:
        """The step that is under way is finished, and kept."""
        self.is_asked = True

    def settling(self, groups: int) -> float:
        """1 while there is time, 0 at the end: it can be moved while it is 1."""
        left = (self.total - groups) / self.decay
        if self.seconds > 0:
            left = min(left, (self.began + self.seconds - time.monotonic()) / (self.seconds * TIME_TO_SETTLE))
        return min(1.0, left)


def rate_at(run: Run, end: End) -> float:
    return RATE * min((run.steps + 1) / WARM_UP_STEPS, max(0.01, end.settling(run.groups)))


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("base", "groups", "folder"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--total", type=int, default=4000)
    parser.add_argument("--decay", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(9)
    given.folder.mkdir(parents=True, exist_ok=True)
    run = Run(given.base, given.folder)
    end = End(given.total, given.decay, given.minutes)
    losses: list[float] = []
    began = time.process_time()
    clock = time.monotonic()
    for batch, count in batches(given.groups, run.groups):
        if end.is_asked or end.settling(run.groups) <= 0:
            break
        losses.append(run.step(batch, rate_at(run, end)))
        run.groups = count
        now = time.process_time()
        run.spent, began = run.spent + now - began, now
        if run.steps % 10 == 0 or run.steps < 5:
            with (given.folder / "log.tsv").open("a") as log:
                mean = sum(losses[-10:]) / len(losses[-10:])
                print(run.steps, run.groups, run.tokens, round(run.spent), f"{mean:.4f}", sep="\t", file=log)
        if time.monotonic() - clock > SAVE_SECONDS:
            run.save()
            clock = time.monotonic()
    run.save()


if __name__ == "__main__":
    main()
