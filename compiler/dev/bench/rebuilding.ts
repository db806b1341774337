// Measures the cost of a policy change if the image has a gigabyte of weights.

import { createHash } from "node:crypto";
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { IMAGE_NAME } from "../../artefacts/products/names.ts";
import { readChildrenCpuSeconds } from "../../machine/cpu-time.ts";
import { bundleProgram } from "../pack/bundle.ts";
import type { Bench } from "./bench.ts";
import { computeMedian, type Figure, limit } from "./figure.ts";
import { measureCpuSeconds, readOutput } from "./measure.ts";

const MEBIBYTES = 1024;
const MOST_SECONDS = 1;
const REWRITTEN = "the image is the last one but for what changed\n";

/**
 * Measures rebuilds of an image. The first build writes the image; before each rebuild, a size on the page changes.
 * If the file system cannot share blocks, the first rebuild copies the image. From then on there are two images, and
 * each rebuild overwrites the older one.
 */
export async function measureRebuilding({ runs, checkout, scratch }: Bench): Promise<Figure[]> {
  const folder = join(scratch, "rebuilding");
  mkdirSync(folder, { recursive: true });
  const weights = join(folder, "weights");
  const sha256 = writeWeights(weights);
  // The bundle is written to build/.bench-…/rebuilding/dist/, so four `..` lead from there to the checkout.
  const program = await bundleProgram(checkout, folder, "../../../../", "compiler/dev/bench/rebuilding-program.ts");
  cpSync(join(checkout, "examples/first-agent"), join(folder, "page"), { recursive: true });
  const page = join(folder, "page/system.cap");
  const command = [process.execPath, program, page, join(folder, "out"), weights, sha256] as const;
  readOutput(checkout, command);
  const text = readFileSync(page, "utf8");
  const changes = Array.from({ length: 1 + runs }, (_, run) => {
    writeFileSync(page, text.replace("16 MiB", `${17 + run} MiB`));
    const before = readChildrenCpuSeconds();
    const way = readOutput(checkout, command);
    const spent = readChildrenCpuSeconds() - before;
    if (way !== REWRITTEN) throw new Error(`a change of policy was not written into an earlier image: ${way}`);
    return spent;
  });
  const [first = 0, ...later] = changes;
  const image = join(folder, "out", IMAGE_NAME);
  const copied = ["cp", "--reflink=auto", image, join(folder, "copy")] as const;
  const copy = { kind: "floor", name: "copying it with cp", value: measureCpuSeconds(1, checkout, copied) } as const;
  return [
    {
      name: "change of policy, 1 GiB of weights",
      value: computeMedian(later),
      unit: "CPU s",
      against: limit(MOST_SECONDS),
    },
    { name: "the first one after the image was written whole", value: first, unit: "CPU s", against: copy },
  ];
}

/** Writes bytes that no file system can omit or share, and returns their digest. */
function writeWeights(path: string): string {
  const hash = createHash("sha256");
  const file = openSync(path, "w");
  let block = createHash("sha512").update("weights").digest();
  const piece = Buffer.alloc(1 << 20);
  for (let at = 0; at < piece.length; at += block.length) {
    block.copy(piece, at);
    block = createHash("sha512").update(block).digest();
  }
  for (let count = 0; count < MEBIBYTES; count++) {
    piece.writeUInt32LE(count);
    hash.update(piece);
    writeSync(file, piece);
  }
  closeSync(file);
  return hash.digest("hex");
}
