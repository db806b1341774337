// Selects a part of the mutants by a seed. A few hundred mutants determine the score within a few percentage points;
// all mutants would take hours. Stryker loads this file as a plugin.

import { createHash } from "node:crypto";
import { basename } from "node:path";

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A mutant with its place as in a report, counted from 1. */
interface Change {
  readonly replacement: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

/**
 * Returns a function that selects mutants for the sample. `part` is the share of all mutants to select, 1 by default.
 */
export function createSampler({
  SAMPLE: part,
  SEED: seed,
}: NodeJS.ProcessEnv): (path: string, change: Change) => boolean {
  const share = Number(part || 1);
  return (path, { replacement, location: { start, end } }) => {
    if (share >= 1) return true;
    const place = [start.line, start.column, end.line, end.column];
    const key = JSON.stringify([seed, basename(path), ...place, replacement]);
    return createHash("sha256").update(key).digest().readUInt32BE() / 2 ** 32 < share;
  };
}

export const isDrawn = createSampler(process.env);

/** Mutant in the form that Stryker passes to its checkers, with lines and columns counted from 0. */
interface Asked extends Change {
  readonly id: string;
  readonly fileName: string;
}

const convertToOneBased = ({ line, column }: Place): Place => ({ line: line + 1, column: column + 1 });

class Drawn {
  async init(): Promise<void> {}

  async check(changes: readonly Asked[]): Promise<Readonly<Record<string, object>>> {
    const verdicts = changes.map(({ id, fileName, replacement, location: { start, end } }) => {
      const location = { start: convertToOneBased(start), end: convertToOneBased(end) };
      const isTried = isDrawn(fileName, { replacement, location });
      return [id, isTried ? { status: "passed" } : { status: "compileError", reason: "not drawn" }] as const;
    });
    return Object.fromEntries(verdicts);
  }

  group(changes: readonly Asked[]): readonly (readonly string[])[] {
    return [changes.map(({ id }) => id)];
  }
}

export const strykerPlugins = [{ kind: "Checker", name: "drawn", injectableClass: Drawn }];
