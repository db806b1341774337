// Writes the record of differences: an in-toto statement with a predicate of our own. It lists the changes in meaning since the
// previous image, as `capc diff` reports them.

import { IMAGE_PATHS } from "../contract/artifact.ts";
import type { EnvelopeSigner } from "./dsse.ts";
import { createStatementArtifact, type ResourceDigest, type SmallArtifact } from "./statement.ts";

export const DIFFERENCE_PATH = "difference.intoto.json";

/** Type of the record. Like `BUILD_TYPE` of the provenance, it is a name and not a web address. */
export const DIFFERENCE_TYPE = "urn:capos:capc:difference:1";

/** Maximum bytes of the record as a file: a reader accepts no more, and a build writes no more. */
export const MOST_DIFFERENCE_BYTES = 16 * 1024 * 1024;

/** Content of the record: the previous system, and how the new system differs from it. */
export interface DifferencePredicate {
  readonly previous: {
    readonly system: string;
    readonly version: string;
    /** SHA-256 of the policy tables of the previous system, in hexadecimal. */
    readonly tables: string;
  };
  /** `changes` and the fields after it have the form that `capc schema diff` describes. */
  readonly changes: readonly object[];
  readonly cells: readonly object[];
  readonly alike: number;
  readonly notCompared: readonly string[];
}

/** Paths in the image of the files to which the record refers (its subjects). */
export const DIFFERENCE_SUBJECTS: readonly string[] = [IMAGE_PATHS.manifest, IMAGE_PATHS.tables];

/** Returns difference.intoto.json. `subjects` are files of the newer image. */
export function createDifferenceArtifact(
  predicate: DifferencePredicate,
  subjects: readonly ResourceDigest[],
  key: EnvelopeSigner,
): SmallArtifact {
  return createStatementArtifact(DIFFERENCE_PATH, { subjects, predicateType: DIFFERENCE_TYPE, predicate }, key);
}
