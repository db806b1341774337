// Checks that an artefact was encoded correctly. A decoder that shares no code with the encoder reads it, and the values are compared with
// the intended ones. It checks only the translation, and not whether the policy is good.
import { readFileSync } from "node:fs";
import { readRequest, type SchemaRequest } from "../../phases/reflect/request.ts";
import { findDifference } from "./difference.ts";
import { decodeAgain } from "./second-decoder.ts";

const SCHEMA = new URL("../../../engine/lib/wire/generated/schema.cgr", import.meta.url);
let request: SchemaRequest | undefined;

/**
 * Schema files of the messages in an image, and of the types that they refer to. Other schema files are not loaded, to
 * save time at every build.
 */
const FILES: ReadonlySet<string> = new Set(["capos.capnp", "manifest.capnp", "policy.capnp", "service.capnp"]);

/** Messages that an image contains. */
export type ReadbackStruct = "PolicyTables" | "Manifest" | "ServiceMethods";

/**
 * Returns the path and both values of the first difference between the bytes and the intended value, or `undefined` if
 * they are equal. This program wrote the bytes, so a difference is a defect of capc.
 */
export function findReadbackDifference(struct: ReadbackStruct, meant: unknown, bytes: Uint8Array): string | undefined {
  request ??= readRequest(readFileSync(SCHEMA), (file) => FILES.has(file));
  return findDifference(meant, decodeAgain(request, struct, bytes));
}
