// Checks that an artefact was translated faithfully: a decoder that shares no code with the encoder reads it, and the
// values are compared with the intended values. This module checks the translation only; other checks judge whether the
// policy is good.
import { readFileSync } from "node:fs";
import { readRequest, type SchemaRequest } from "../../phases/reflect/request.ts";
import { findDifference } from "./difference.ts";
import { decodeAgain } from "./second-decoder.ts";

const SCHEMA = new URL("../../../engine/lib/wire/generated/schema.cgr", import.meta.url);
let request: SchemaRequest | undefined;

/**
 * Schema files of the messages below and of the types that they refer to. Other schema files are not read, to save
 * time.
 */
const FILES: ReadonlySet<string> = new Set(["capos.capnp", "manifest.capnp", "policy.capnp", "service.capnp"]);

/** Messages that an image contains. */
export type ReadbackStruct = "PolicyTables" | "Manifest" | "ServiceMethods";

/**
 * Returns the first place where the bytes differ from `meant`, or `undefined` if they agree. capc itself wrote the
 * bytes, so a difference is a defect of capc.
 */
export function findReadbackDifference(struct: ReadbackStruct, meant: unknown, bytes: Uint8Array): string | undefined {
  request ??= readRequest(readFileSync(SCHEMA), (file) => FILES.has(file));
  return findDifference(meant, decodeAgain(request, struct, bytes));
}
