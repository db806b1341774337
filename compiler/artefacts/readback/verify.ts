// "Translated faithfully": what was written is read again, by a decoder that shares no code with the writer, and compared
// value by value with what was meant. It asks about translation only; whether the policy is a good one others ask.
import { readFileSync } from "node:fs";
import { readRequest, type SchemaRequest } from "../../phases/reflect/request.ts";
import { findDifference } from "./difference.ts";
import { decodeAgain } from "./second-decoder.ts";

const SCHEMA = new URL("../../../engine/lib/wire/generated/schema.cgr", import.meta.url);
let request: SchemaRequest | undefined;

/** Where these and what they refer to stand: the rest of the schema would be read for nothing, at every build. */
const FILES: ReadonlySet<string> = new Set(["capos.capnp", "manifest.capnp", "policy.capnp", "service.capnp"]);

/** Messages that an image holds. */
export type ReadbackStruct = "PolicyTables" | "Manifest" | "ServiceMethods";

/**
 * The first place where the bytes do not say what was meant; nothing where they do. For bytes that this program wrote:
 * what is wrong with them is its own defect.
 */
export function findReadbackDifference(struct: ReadbackStruct, meant: unknown, bytes: Uint8Array): string | undefined {
  request ??= readRequest(readFileSync(SCHEMA), (file) => FILES.has(file));
  return findDifference(meant, decodeAgain(request, struct, bytes));
}
