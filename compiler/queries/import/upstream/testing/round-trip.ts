// Round trip: a page builds a manifest, and the page imported from it builds another manifest.

import { readFileSync } from "node:fs";
import { decodeMessage } from "../../../../../engine/lib/wire/index.ts";
import { SystemManifest } from "../../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { createUpstreamManifest, encodeUpstreamManifest } from "../../../../../targets/capos-native/index.ts";
import { compile } from "../../../../compile.ts";
import { encodeTables } from "../../../../dev/golden/golden.ts";
import { createMemoryHost } from "../../../../phases/source/index.ts";
import { importUpstream } from "../index.ts";

/** A program that upstream's loader would accept. */
export const PROGRAM = readFileSync(new URL("../../../../../examples/upstream-capos/services/desk", import.meta.url));

/** Builds the manifest of a page. Throws if the page has errors. */
export async function built(text: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const { policy, diagnostics } = await compile(createMemoryHost({ "/system.cap": text, ...files }), "/system.cap");
  if (policy === undefined) throw new Error(`${diagnostics.map(({ message }) => message).join("; ")}\n${text}`);
  return encodeUpstreamManifest(createUpstreamManifest(policy, encodeTables(policy)));
}

/**
 * Returns the manifest that is built from the imported page, with the codes of all findings. Throws if the manifest is
 * refused.
 */
export async function again(
  bytes: Uint8Array,
): Promise<{ readonly bytes: Uint8Array; readonly codes: readonly string[] }> {
  const imported = await importUpstream("manifest.bin", bytes, "read");
  if (!imported.ok) throw new Error(imported.diagnostics.map(({ message }) => message).join("; "));
  const files = imported.files.map(({ path, bytes }) => [`/${path}`, bytes] as const);
  return {
    bytes: await built(imported.page, Object.fromEntries(files)),
    codes: imported.findings.map(({ code }) => code),
  };
}

export function decoded(bytes: Uint8Array): SystemManifest {
  const read = decodeMessage(SystemManifest, bytes);
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}
