// Writes in-toto statements: claims about files, signed with the key of the image.

import { createEnvelope, type EnvelopeSigner } from "./dsse.ts";

/** A named resource with its SHA-256 in hexadecimal. */
export interface ResourceDigest {
  readonly name: string;
  readonly sha256: string;
  /** A package-url.org URL, if the resource comes from a package. */
  readonly purl?: string;
}

/** One statement; `predicateType` names the kind of the statement. */
interface Statement {
  /** Subjects of the statement, as paths in the image. */
  readonly subjects: readonly ResourceDigest[];
  readonly predicateType: string;
  readonly predicate: object;
}

/** An artefact in memory. */
export interface SmallArtifact {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const STATEMENT_TYPE = "application/vnd.in-toto+json";

/** Returns the artefact of a statement. `path` is relative to the output folder; in the image the artefact is below /capos. */
export function createStatementArtifact(
  path: string,
  { subjects, predicateType, predicate }: Statement,
  key: EnvelopeSigner,
): SmallArtifact {
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType,
    predicate,
  };
  const envelope = createEnvelope(STATEMENT_TYPE, Buffer.from(JSON.stringify(statement)), key);
  return { path, bytes: Buffer.from(`${JSON.stringify(envelope, undefined, 1)}\n`) };
}
