// capc inspect describes the content of an artefact, its digests, its signer, and how far they can be trusted.

import { resolve } from "node:path";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { MOST_MANIFEST_BYTES } from "../../../targets/contract/artifact.ts";
import { loadDevelopmentKey } from "../../../targets/manifest/development-key.ts";
import type { Description } from "../../artefacts/inspect/description.ts";
import { describeImage } from "../../artefacts/inspect/image.ts";
import { describeManifest } from "../../artefacts/inspect/manifest.ts";
import { describeSignature, readSignature } from "../../artefacts/inspect/signature.ts";
import { describeTables } from "../../artefacts/inspect/tables.ts";
import { openDevelopmentKeyFile } from "../../host/development-key-file.ts";
import { readBytes, useFile } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";

const refuse = createRefuser("inspect");

export const inspect: Command = {
  name: "inspect",
  operands: ["ARTEFACT"],
  does: "show the contents of a manifest, of policy tables, of a signature or of an image",
  details: `For a signed file, such as manifest.bin, it also checks the signature beside it, here
manifest.bin.sig. For a signature file, such as manifest.bin.sig, it checks that the file beside it has
this signature. For an image it checks that the files match the image's manifest. Ends with 1 if a
check fails.
For policy tables it shows two digests. The audit quotes the digest of the bytes. Comments and the order of rules change
this digest, but not the digest of the meaning.`,
  options: [JSON_OPTION],
  run: async (typed, world) => inspectFile(typed, world),
};

/** Maximum bytes of an artefact that is read as a whole; tables are the largest ones. */
const MOST_BYTES = 16 * 1024 * 1024;

function inspectFile(typed: ParsedArguments, world: World): ExitStatus {
  const path = resolve(world.folder, typed.operands[0] ?? "");
  const read = readBytes(path, MOST_BYTES);
  if (!read.ok) return refuse(world, 3, read.reason);
  const descriptions = describe(path, read.value.bytes, read.value.size);
  if (descriptions.length === 0)
    return refuse(world, 1, `${path} is none of: manifest, policy tables, signature, image`);
  const faults = descriptions.flatMap((description) => description.faults);
  if (typed.switches.has("json")) world.print(`${JSON.stringify(convertToJson(descriptions, faults), undefined, 2)}\n`);
  else for (const line of descriptions.flatMap(({ lines }) => lines)) world.print(`${escapeInvisible(line)}\n`);
  for (const fault of faults) world.report(`capc inspect: ${escapeInvisible(fault)}\n`);
  return faults.length === 0 ? 0 : 1;
}

function convertToJson([first, ...more]: readonly Description[], faults: readonly string[]): object {
  return { kind: first?.kind, ...Object.assign({}, first?.facts, ...more.map(({ facts }) => facts)), faults };
}

/**
 * Describes an artefact, and its signature if a signature file lies beside it. Returns an empty list for a file of an
 * unknown kind.
 */
function describe(path: string, bytes: Uint8Array, size: number): readonly Description[] {
  const known = readCheckoutKey();
  const image = useFile(path, (readAt) => describeImage(readAt, size, known));
  if (image !== undefined) return [image];
  if (size > MOST_BYTES) return [];
  const signature = readSignature(bytes);
  if (signature !== undefined)
    return [describeSignature(signature, readBeside(path.replace(/\.sig$/, ""), path), known)];
  const artefact = describeManifest(bytes) ?? describeTables(bytes);
  if (artefact === undefined) return [];
  const sibling = readBeside(`${path}.sig`, path);
  const signed = sibling === undefined ? undefined : readSignature(sibling);
  if (signed !== undefined) return [artefact, describeSignature(signed, bytes, known)];
  return artefact.kind === "manifest" ? [artefact, UNSIGNED] : [artefact];
}

const UNSIGNED: Description = {
  kind: "signature",
  facts: { signature: null },
  lines: ["", "no signature beside it"],
  faults: [],
};

function readBeside(path: string, self: string): Uint8Array | undefined {
  const read = path === self ? undefined : readBytes(path, MOST_MANIFEST_BYTES);
  return read?.ok === true ? read.value.bytes : undefined;
}

/**
 * Returns the checkout's public key, or `undefined` if there is no key. Unlike a build, this function does not create a
 * key.
 */
function readCheckoutKey(): Uint8Array | undefined {
  const file = openDevelopmentKeyFile();
  const key = file.read() === undefined ? undefined : loadDevelopmentKey(file);
  return key?.ok === true ? key.value.publicKey : undefined;
}
