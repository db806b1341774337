// Differences in meaning from the previous image, as `capc diff` lists them: an in-toto statement with a predicate of our own.

import { IMAGE_PATHS } from "../contract/artifact.ts";
import type { EnvelopeSigner } from "./dsse.ts";
import { createStatementArtifact, type ResourceDigest, type SmallArtifact } from "./statement.ts";

export const DIFFERENCE_PATH = "difference.intoto.json";

/** A name and no address, as those of the provenance are. */
export const DIFFERENCE_TYPE = "urn:capos:capc:difference:1";

/** Maximum bytes of the record as a file. A reader takes no more, and a build gives no more. */
export const MOST_DIFFERENCE_BYTES = 16 * 1024 * 1024;

/** Content of the record: the system that was compared with, and what differs. */
export interface DifferencePredicate {
  readonly previous: {
    readonly system: string;
    readonly version: string;
    /** SHA-256 of its policy tables, in hexadecimal. */
    readonly tables: string;
  };
  /** The rest, as `capc schema diff` has it of a difference. */
  readonly changes: readonly object[];
  readonly cells: readonly object[];
  readonly alike: number;
  readonly notCompared: readonly string[];
}

/** Subjects of the record; paths in the image. */
export const DIFFERENCE_SUBJECTS: readonly string[] = [IMAGE_PATHS.manifest, IMAGE_PATHS.tables];

/** difference.intoto.json; `subjects`: those of the newer one. */
export function createDifferenceArtifact(
  predicate: DifferencePredicate,
  subjects: readonly ResourceDigest[],
  key: EnvelopeSigner,
): SmallArtifact {
  return createStatementArtifact(DIFFERENCE_PATH, { subjects, predicateType: DIFFERENCE_TYPE, predicate }, key);
}
