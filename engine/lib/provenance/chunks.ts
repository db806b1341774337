// Serializes an index in consecutive chunks. The chunks are stored beside a conversation's state, so that the index outlasts
// the run.

import { accept, type Result, refuse } from "../result/result.ts";
import { SourceChunk, type SourceDocument } from "../wire/generated/conversations.ts";
import { decodeMessage, encodeMessage } from "../wire/index.ts";
import type { Origin } from "./origin.ts";
import { type Document, ECHO, MAX_DOCUMENTS, MAX_TOKENS, SHORT_NAME, type SourceIndex, WEAK } from "./source-index.ts";

/** Version of the format of a stored chunk of a source index; this code reads and writes no other version. */
export const SOURCES_SCHEMA_VERSION = 1;
const MAX_DIGEST = 2 ** 52;

/**
 * Returns a chunk with the documents of an index from the document number `from` on. Only the first chunk of an index
 * contains `key`, the secret key of the digests in all chunks.
 */
export function writeChunk(index: SourceIndex, from: number, key: Uint8Array): Uint8Array {
  const documents = index.documents.slice(from).map((document) => writeDocument(index, document));
  return encodeMessage(SourceChunk, { schemaVersion: SOURCES_SCHEMA_VERSION, key, documents });
}

/** Returns the chunk in these bytes. Fails for bytes that `writeChunk` cannot have written. */
export function readChunk(bytes: Uint8Array): Result<SourceChunk> {
  const read = decodeMessage(SourceChunk, bytes);
  if (!read.ok) return refuse(`it cannot be read: ${read.reason}`);
  const { schemaVersion, documents } = read.value;
  if (schemaVersion !== SOURCES_SCHEMA_VERSION) return refuse(`it has the schema version ${schemaVersion}`);
  if (documents.length > MAX_DOCUMENTS) return refuse("it has more documents than an index takes");
  const tokens = documents.reduce((sum, { digests }) => sum + digests.length, 0);
  if (tokens > MAX_TOKENS) return refuse("it has more tokens than an index takes");
  const isWrong = documents.some(
    ({ digests, flags }) =>
      flags.length !== digests.length ||
      flags.some((flag) => (flag & ~(WEAK | ECHO | SHORT_NAME)) !== 0) ||
      digests.some((digest) => digest >= MAX_DIGEST),
  );
  return isWrong ? refuse("its digests are not as they were written") : accept(read.value);
}

/** Adds the documents of a chunk to an index. */
export function restoreChunk(index: SourceIndex, { documents }: SourceChunk): void {
  for (const { digests, flags, record, call, isTelling, ...rest } of documents)
    index.append({ origin: readOrigin(rest), record, call, isTelling }, digests.map(Number), flags);
}

function writeDocument(index: SourceIndex, document: Document): SourceDocument {
  const { origin, record, call, isTelling } = document;
  const digests = index.readDigests(document).map(BigInt);
  return { ...writeOrigin(origin), record, call, isTelling, digests, flags: index.readFlags(document) };
}

type KeptOrigin = Pick<SourceDocument, "origin" | "tool" | "field" | "integrity">;

function writeOrigin(origin: Origin): KeptOrigin {
  const plain = { origin: origin.which, tool: "", field: "", integrity: 0 };
  switch (origin.which) {
    case "person":
    case "pasted":
    case "page":
      return plain;
    case "parameter":
      return { ...plain, field: origin.name };
    case "result":
      return { ...plain, tool: origin.tool, field: origin.field, integrity: origin.integrity };
    case "argument":
      return { ...plain, tool: origin.tool, field: origin.field };
    case "written":
      return { ...plain, tool: origin.service };
  }
}

function readOrigin({ origin, tool, field, integrity }: KeptOrigin): Origin {
  switch (origin) {
    case "person":
    case "pasted":
    case "page":
      return { which: origin };
    case "parameter":
      return { which: origin, name: field };
    case "result":
      return { which: origin, tool, field, integrity };
    case "argument":
      return { which: origin, tool, field };
    case "written":
      return { which: origin, service: tool };
  }
}
