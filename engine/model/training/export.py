"""Writes what was trained as a file of weights that the engine reads, in Q4_0.

    python export.py --base BASE.gguf --folder CHECKPOINTS --out FILE.gguf
"""

import argparse
from pathlib import Path

import torch

from weights_file import read_weights, write_weights

NAME = "capc agent 135M"


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("base", "folder", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    _, weights = read_weights(given.base)
    weights |= torch.load(given.folder / "checkpoint.pt", weights_only=True)["full"]
    part = given.out.with_suffix(".part")
    write_weights(part, given.base, weights, NAME)
    part.rename(given.out)


if __name__ == "__main__":
    main()
