// Defines the folders of the measurements, and how often each measurement is repeated.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makePackage } from "../pack/package.ts";

/** Parameters that every row of the benchmark receives. */
export interface Bench {
  readonly runs: number;
  readonly checkout: string;
  /** Temporary folder, deleted when the benchmark ends. */
  readonly scratch: string;
  /** Path of the checkout's launcher. */
  readonly launcher: string;
  /** Returns the path of the package's launcher, as npm would install it. */
  readonly packed: () => Promise<string>;
}

/** Creates the parameters. The package is built when the first row needs it. */
export function createBench(checkout: string, scratch: string, runs: number): Bench {
  const folder = join(scratch, "package");
  let made: Promise<string> | undefined;
  const pack = async (): Promise<string> => {
    mkdirSync(folder, { recursive: true });
    await makePackage(checkout, folder);
    return join(folder, LAUNCHER);
  };
  const packed = (): Promise<string> => {
    made ??= pack();
    return made;
  };
  return { runs, checkout, scratch, launcher: join(checkout, LAUNCHER), packed };
}

const LAUNCHER = "compiler/cli/capc.mjs";
