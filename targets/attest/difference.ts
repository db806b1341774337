// Creates the record of the policy changes since the previous image. It contains the changes that `capc diff` lists. It is an in-toto
// statement with our own predicate type.

import { IMAGE_PATHS } from "../contract/artifact.ts";
import type { EnvelopeSigner } from "./dsse.ts";
import { createStatementArtifact, type ResourceDigest, type SmallArtifact } from "./statement.ts";

export const DIFFERENCE_PATH = "difference.intoto.json";

/** The type is only a name, like the types in the provenance: the URI cannot be opened. */
export const DIFFERENCE_TYPE = "urn:capos:capc:difference:1";

/** Maximum bytes of the record's file, for readers and for builds. */
export const MOST_DIFFERENCE_BYTES = 16 * 1024 * 1024;

/** Content of the record: the previous system, and the differences from it. */
export interface DifferencePredicate {
  readonly previous: {
    readonly system: string;
    readonly version: string;
    /** SHA-256 of its policy tables, in hexadecimal. */
    readonly tables: string;
  };
  /** This and the following fields have the form that `capc schema diff` describes. */
  readonly changes: readonly object[];
  readonly cells: readonly object[];
  readonly alike: number;
  readonly notCompared: readonly string[];
}

/** Paths in the image of the files that the record is about. */
export const DIFFERENCE_SUBJECTS: readonly string[] = [IMAGE_PATHS.manifest, IMAGE_PATHS.tables];

/** Returns difference.intoto.json. `subjects` are files of the newer image. */
export function createDifferenceArtifact(
  predicate: DifferencePredicate,
  subjects: readonly ResourceDigest[],
  key: EnvelopeSigner,
): SmallArtifact {
  return createStatementArtifact(DIFFERENCE_PATH, { subjects, predicateType: DIFFERENCE_TYPE, predicate }, key);
}
