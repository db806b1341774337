// "Translated faithfully": what was written is read again, by a decoder that shares no code with the writer, and compared
// value by value with what was meant. It asks about translation only; whether the policy is a good one others ask.
import { readFileSync } from "node:fs";
import { readRequest, type SchemaRequest } from "../../phases/reflect/request.ts";
import { findDifference } from "./difference.ts";
import { decodeAgain } from "./second-decoder.ts";

const SCHEMA = new URL("../../../engine/lib/wire/generated/schema.cgr", import.meta.url);
let request: SchemaRequest | undefined;

/** Schema files of these messages and of the types that they refer to. Reading the rest at every build would only cost time. */
const FILES: ReadonlySet<string> = new Set(["capos.capnp", "manifest.capnp", "policy.capnp", "service.capnp"]);

/** Messages that an image holds. */
export type ReadbackStruct = "PolicyTables" | "Manifest" | "ServiceMethods";

/**
 * Returns the first place where the bytes differ from what was meant, or `undefined` if they agree. The bytes were written by
 * this program, so a difference is a defect of its own.
 */
export function findReadbackDifference(struct: ReadbackStruct, meant: unknown, bytes: Uint8Array): string | undefined {
  request ??= readRequest(readFileSync(SCHEMA), (file) => FILES.has(file));
  return findDifference(meant, decodeAgain(request, struct, bytes));
}
