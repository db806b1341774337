// Reads the tree of one file that a person named, without the pages that it imports.

import { resolve } from "node:path";
import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import { decodeSource, type LineEndRule, MAX_FILE_BYTES, parse } from "../../lang/grammar/index.ts";
import type { SourceText } from "../../lang/text/index.ts";
import type { FileTree } from "../../lang/tree/index.ts";
import { readOwnForm, readPageBytes } from "../host/files.ts";
import type { World } from "../host/world.ts";
import { formatPath } from "./render-findings.ts";

/** Result of reading a file: its text, findings about its bytes, or an error of the operating system. */
export type SourceResult =
  | { readonly kind: "read"; readonly source: SourceText; readonly bytes: Uint8Array }
  | { readonly kind: "refused"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "unreadable"; readonly reason: string };

/**
 * Reads a file as text. Refuses a file that is too large, that is not UTF-8, or that has hidden characters or forbidden
 * line ends. `file` is as the user typed it.
 */
export function readSource(file: string, world: World): SourceResult {
  return readSourceAt(resolve(world.folder, file), readPageBytes, world);
}

/** Reads a page like `readSource`, but refuses YAML and JSON. */
export function readPageSource(file: string, world: World, ends?: LineEndRule): SourceResult {
  return readSourceAt(resolve(world.folder, file), readOwnForm, world, ends);
}

function readSourceAt(path: string, reader: typeof readPageBytes, world: World, ends?: LineEndRule): SourceResult {
  const read = reader(path, MAX_FILE_BYTES + 1);
  if (!read.ok) return { kind: "unreadable", reason: read.reason };
  return readSourceIn(formatPath(path, world), read.value.bytes, ends);
}

/** Decodes bytes as text; error messages call the file `name`. */
export function readSourceIn(
  name: string,
  bytes: Uint8Array,
  ends?: LineEndRule,
): Exclude<SourceResult, { kind: "unreadable" }> {
  const bounded = decodeSource(name, bytes, ends);
  return bounded.ok
    ? { kind: "read", source: bounded.source, bytes }
    : { kind: "refused", diagnostics: [bounded.diagnostic] };
}

/** Result of parsing a file; like `SourceResult`, with the tree in place of the text. */
type TreeResult = Exclude<SourceResult, { kind: "read" }> | { readonly kind: "read"; readonly tree: FileTree };

/**
 * Parses a file. Refuses a file with a syntax error, because the part that cannot be parsed would be lost without
 * notice.
 */
export async function readTree(file: string, world: World): Promise<TreeResult> {
  const result = readPageSource(file, world);
  if (result.kind !== "read") return result;
  const { tree, diagnostics } = await parse(result.source);
  return diagnostics.length === 0 ? { kind: "read", tree } : { kind: "refused", diagnostics };
}
