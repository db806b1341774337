// From a checked policy to artefacts: every target in its turn, each fed with what the one before made. What a target
// decides is its own; here is only who needs what from whom.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assembleRoot, type Root } from "../../../engine/rootfs/assemble.ts";
import { bootFiles } from "../../../engine/rootfs/boot-files.ts";
import { ROLES, type Role } from "../../../engine/rootfs/roles.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { type Artifact, kernelParameters } from "../../../targets/contract.ts";
import type { Frame } from "../../../targets/iso/frame.ts";
import { type KnownImage, makeIso } from "../../../targets/iso/make-iso.ts";
import { developmentKey } from "../../../targets/manifest/development-key.ts";
import { manifestTarget, planManifest } from "../../../targets/manifest/manifest.ts";
import { type SigningKey, trustOf } from "../../../targets/manifest/signing.ts";
import { tablesTarget } from "../../../targets/tables/tables.ts";
import type { Origins, Policy } from "../../policy/policy.ts";
import { unfaithful, type Written } from "../../verify/verify.ts";
import { developmentKeyFile } from "../development-key-file.ts";
import { stateFolder } from "../state-folder.ts";
import { pruneRoots } from "./cache.ts";
import type { Product } from "./emit.ts";
import type { Progress } from "./progress.ts";
import { startOf } from "./start.ts";

export interface Order {
  readonly policy: Policy;
  readonly origins: Origins;
  readonly emit: ReadonlySet<Product>;
  /** For files that are made on the way; on the file system of the output. */
  readonly scratch: string;
  /** Seconds since 1970: the one time that artefacts carry. */
  readonly sourceDateEpoch: number;
  readonly progress: Progress;
  /** How many assertions of the page do not hold: the image says so. */
  readonly unproved?: number;
  /** What is told of the proofs, beside what is made. */
  readonly proofs?: readonly Artifact[];
  /** Programs in place of the engine's own, for images that measure something. */
  readonly roles?: readonly Role[];
  /** The image that was built last in the place of this one: what did not change is taken from it. */
  readonly last?: KnownImage;
  /** What signs it; the development key of this checkout where none is given. */
  readonly key?: SigningKey;
  /** Is told why an image is written whole that could have been made of the last one. */
  readonly explain?: (words: string) => void;
}

export type Made =
  | { readonly ok: true; readonly artifacts: readonly Artifact[]; readonly frame?: Frame }
  | { readonly ok: false; readonly reason: string };

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

/** Makes what `emit` names, and what that needs; gives only what `emit` names. */
export async function makeProducts(order: Order): Promise<Made> {
  const { emit, policy, progress } = order;
  progress.step("policy tables");
  const tables = only(tablesTarget(policy));
  assertFaithful("PolicyTables", policy.tables, tables);
  const none: readonly Artifact[] = [];
  let frame: Frame | undefined;
  const made = { tables: [tables], manifest: none, iso: none, proofs: order.proofs ?? none };
  if (emit.has("manifest") || emit.has("iso")) {
    progress.step("root file system");
    const cache = join(stateFolder(), "cache");
    const root = await assembleRoot({ checkout: CHECKOUT, cache, roles: order.roles ?? ROLES });
    if (!root.ok) return root;
    pruneRoots(cache, root.file);
    const key = order.key ?? developmentKey(developmentKeyFile());
    if (typeof key === "string") return { ok: false, reason: key };
    made.manifest = sign(order, tables, root, key);
    if (emit.has("iso")) {
      progress.step("image");
      const image = await makeImage(order, [tables, ...made.manifest], root, key);
      if (typeof image === "string") return { ok: false, reason: image };
      made.iso = [image.artifact];
      frame = image.frame;
    }
  }
  const artifacts = [...emit].flatMap((product) => made[product]);
  return frame === undefined ? { ok: true, artifacts } : { ok: true, artifacts, frame };
}

function sign(order: Order, tables: Artifact, root: Root, key: SigningKey): readonly Artifact[] {
  const { origins, unproved = 0 } = order;
  const context = { tables: inMemory(tables), root, origins, key, unproved };
  const outcome = manifestTarget(order.policy, context);
  if (!outcome.ok) return bug("the manifest of a checked policy was refused");
  for (const artifact of outcome.value.filter(({ path }) => path === "manifest.bin"))
    assertFaithful("Manifest", planManifest(order.policy, context), artifact);
  for (const { name, own } of order.policy.services) {
    const artifact = outcome.value.find(({ path }) => path === `services/${name}.bin`);
    if (own !== undefined && artifact !== undefined) assertFaithful("ServiceMethods", own.methods, artifact);
  }
  return outcome.value;
}

/** Reads an artefact again with a decoder that shares no code with the encoder: what differs is a defect of ours. */
function assertFaithful(struct: Written, meant: unknown, artifact: Artifact): void {
  const difference = unfaithful(struct, meant, inMemory(artifact));
  if (difference !== undefined) bug(`${artifact.path} does not say what was meant: ${difference}`);
}

interface Image {
  readonly artifact: Artifact;
  readonly frame: Frame;
}

async function makeImage(
  { policy, scratch, sourceDateEpoch, unproved, last, explain }: Order,
  parts: readonly Artifact[],
  root: Root,
  key: SigningKey,
): Promise<Image | string> {
  const { systemId, version } = policy.tables;
  const encrypted = policy.storage?.encrypted ?? false;
  const trust = trustOf({ systemId, version }, key);
  const files = bootFiles(CHECKOUT, { machine: policy.image.machine, encrypted, trust });
  const start = startOf({
    files,
    firmware: policy.image.firmware,
    systemId,
    version,
    parameters: kernelParameters(unproved),
  });
  if (typeof start === "string") return start;
  const out = join(scratch, "image.iso");
  const plan = {
    root: { file: root.file, sha256: Buffer.from(root.sha256).toString("hex") },
    start,
    artifacts: parts.map(placeInImage),
    out,
    sourceDateEpoch,
  };
  const made = await makeIso(plan, last);
  if (!made.ok) return inOneLine(made.reason);
  explain?.(made.wholeBecause === undefined ? REWRITTEN : `the image was written whole: ${made.wholeBecause}`);
  return { artifact: { path: IMAGE_NAME, bytes: { file: out } }, frame: made.frame };
}

const REWRITTEN = "the image is the last one but for what changed";

/** In the output folder. */
export const IMAGE_NAME = "system.iso";

/** xorriso says much; the line that matters is marked as a failure. */
function inOneLine(words: string): string {
  if (words.includes("exceeds free space")) return "the disk is full: the image does not fit";
  const failure = words.split("\n").find((line) => /: (FAILURE|FATAL|SORRY) :/.test(line));
  return failure ?? words.replaceAll("\n", "; ");
}

/** What lies in the output folder lies below /capos in the image, where the manifest names it. */
function placeInImage({ path, bytes }: Artifact): Artifact {
  return { path: `/capos/${path}`, bytes };
}

function only(outcome: ReturnType<typeof tablesTarget>): Artifact {
  const [artifact] = outcome.ok ? outcome.value : [];
  return artifact ?? bug("the tables of a checked policy were refused");
}

function inMemory({ path, bytes }: Artifact): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : bug(`${path} is not in memory`);
}
