"""Writes what was trained as a file of weights that the engine reads, in Q4_0.

    python export.py --base BASE.gguf --folder CHECKPOINTS --out FILE.gguf [--reluctance N] [--copying N]
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
    #: Thousandths of a nat by which calls are less likely than the model thinks: found on the development set.
    parser.add_argument("--reluctance", type=int, default=0)
    #: And by which what was said before is likelier in an argument.
    parser.add_argument("--copying", type=int, default=0)
    given = parser.parse_args()
    _, weights = read_weights(given.base)
    weights |= torch.load(given.folder / "checkpoint.pt", weights_only=True)["full"]
    part = given.out.with_suffix(".part")
    write_weights(part, given.base, weights, NAME, given.reluctance, given.copying)
    part.rename(given.out)


if __name__ == "__main__":
    main()
