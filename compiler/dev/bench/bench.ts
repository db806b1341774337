// Where and how often everything is measured.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makePackage } from "../pack/package.ts";

/** What every row is given. */
export interface Bench {
  readonly runs: number;
  readonly checkout: string;
  /** A folder of the bench, gone when it ends. */
  readonly scratch: string;
  /** The launcher of the checkout. */
  readonly launcher: string;
  /** The launcher of the package, as npm would install it. */
  readonly packed: () => Promise<string>;
}

/** The package is made when the first row asks for it. */
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
