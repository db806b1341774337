// Builds artefacts from a checked policy: each target in turn gets the results of the target before it. Each target
// decides how it makes its results; this module only knows which earlier results each target needs.

import { join } from "node:path";
import { assembleRoot, type Root } from "../../../engine/image/rootfs/assemble.ts";
import { accept } from "../../../engine/lib/result/result.ts";
import { NODE_ROLES } from "../../../engine/lib/roles/index.ts";
import { bug, type Outcome } from "../../../lang/diagnostics/index.ts";
import { createSbom } from "../../../targets/attest/sbom.ts";
import type { Loss } from "../../../targets/capos-native/index.ts";
import type { Artifact } from "../../../targets/contract/artifact.ts";
import type { Target } from "../../../targets/contract/policy.ts";
import type { Frame } from "../../../targets/iso/frame.ts";
import { loadDevelopmentKey } from "../../../targets/manifest/development-key.ts";
import { createManifestArtifacts, planManifest } from "../../../targets/manifest/manifest.ts";
import { listNativePrograms } from "../../../targets/manifest/own.ts";
import type { SigningKey } from "../../../targets/manifest/signing.ts";
import { createTablesArtifact } from "../../../targets/tables/tables.ts";
import { openDevelopmentKeyFile } from "../../host/development-key-file.ts";
import { ensureStateFolder } from "../../host/state-folder.ts";
import { readCapcVersion } from "../../host/version.ts";
import { findReadbackDifference, type ReadbackStruct } from "../readback/verify.ts";
import { pruneRoots } from "./cache.ts";
import { type DriftReport, findDrift } from "./drift.ts";
import type { Product } from "./emit.ts";
import { CHECKOUT, makeImage } from "./image.ts";
import { makeNative } from "./native.ts";
import type { Order } from "./order.ts";
import { collectParts, hasLocalModels } from "./parts.ts";
import { addStates, listStateFiles } from "./states.ts";
import { listWeightsFiles, prepareWeights, type WeightsInImage } from "./weights.ts";

/** Public half of the key that signed an artefact. */
export type Signer = Pick<SigningKey, "publicKey" | "development">;

type Made =
  | {
      readonly ok: true;
      readonly artifacts: readonly Artifact[];
      readonly frame?: Frame;
      /** Signer of the attestations; absent if nothing is signed. */
      readonly signer?: Signer;
      /** Parts of the page that the target cannot express. */
      readonly losses?: readonly Loss[];
    }
  | { readonly ok: false; readonly reason: string };

const MAKERS: Readonly<Record<Target, (order: Order, tables: Artifact) => Promise<Made>>> = {
  linux: makeLinux,
  capos: makeNative,
};

/** Makes the products in `emit` and those that they need, but returns only the products in `emit`. */
export async function makeProducts(order: Order): Promise<Made> {
  const { policy, progress } = order;
  progress.step("policy tables");
  const tables = takeOnly(createTablesArtifact(policy));
  assertFaithful("PolicyTables", policy.tables, tables);
  return await MAKERS[policy.image.target](order, tables);
}

async function makeLinux(order: Order, tables: Artifact): Promise<Made> {
  const { emit, policy, progress } = order;
  const none: readonly Artifact[] = [];
  let frame: Frame | undefined;
  let signer: Signer | undefined;
  const made = { tables: [tables], manifest: none, iso: none, attestation: none, proofs: order.proofs ?? none };
  if (["manifest", "iso", "attestation"].some((product) => emit.has(product as Product))) {
    const cache = join(ensureStateFolder(), "cache");
    const drift = findDrift(CHECKOUT, join(cache, "digests.json"), order.writer);
    if (order.locked === true && drift.sentences.length > 0) return { ok: false, reason: renderNotLocked(drift) };
    for (const sentence of drift.sentences) order.warn?.(sentence);
    progress.step("root file system");
    const isLocal = hasLocalModels(policy);
    const root = await assembleRoot({
      checkout: CHECKOUT,
      cache,
      roles: order.roles ?? NODE_ROLES,
      more: listNativePrograms(policy),
      runsModels: isLocal,
    });
    if (!root.ok) return root;
    pruneRoots(cache, root.file);
    const found = order.key === undefined ? loadDevelopmentKey(openDevelopmentKeyFile()) : accept(order.key);
    if (!found.ok) return found;
    const key = found.value;
    signer = key;
    if (isLocal) progress.step("weights");
    const signed = prepareWeights(policy, cache, { key, trusted: order.trustWeights ?? [] });
    if (!signed.ok) return { ok: false, reason: signed.reason };
    const warn = (sentence: string) => order.remark?.(sentence);
    const weights = await addStates(policy, signed.value, { checkout: CHECKOUT, cache, progress, warn });
    if (!weights.ok) return { ok: false, reason: weights.reason };
    const sbom = listParts(order, root, drift, weights.value);
    made.manifest = [...sign(order, { tables, sbom, root, weights: weights.value }, key), sbom];
    if (emit.has("iso") || emit.has("attestation")) {
      progress.step("image");
      const whole = {
        ...order,
        weights: [...(order.weights ?? []), ...listWeightsFiles(weights.value), ...listStateFiles(weights.value)],
      };
      const vouchers = [...weights.value.values()].map(({ signer }) => signer);
      const image = await makeImage(whole, { parts: [tables, ...made.manifest], root, key, drift, vouchers });
      if (!image.ok) return { ok: false, reason: image.reason };
      made.iso = [image.value.artifact, ...image.value.others];
      made.attestation = image.value.attestations;
      frame = image.value.frame;
    }
  }
  const artifacts = [...emit].flatMap((product) => made[product]);
  return { ok: true, artifacts, ...(frame && { frame }), ...(signer && { signer }) };
}

function renderNotLocked({ sentences }: DriftReport): string {
  return `--locked, and ${sentences.join("; ")}`;
}

function listParts(
  { policy, sourceDateEpoch }: Order,
  { programs }: Root,
  { found }: DriftReport,
  weights: ReadonlyMap<string, WeightsInImage>,
): Artifact {
  const parts = collectParts({ checkout: CHECKOUT, policy, programs, found, weights });
  return takeOnly(createSbom(policy, { parts, capc: readCapcVersion(), sourceDateEpoch }));
}

interface Signed {
  readonly tables: Artifact;
  readonly sbom: Artifact;
  readonly root: Root;
  readonly weights: ReadonlyMap<string, WeightsInImage>;
}

function sign(order: Order, { tables, sbom, root, weights }: Signed, key: SigningKey): readonly Artifact[] {
  const { origins, unproved = 0 } = order;
  const context = {
    tables: requireInMemory(tables),
    sbom: requireInMemory(sbom),
    root,
    weights,
    origins,
    key,
    unproved,
  };
  const outcome = createManifestArtifacts(order.policy, context);
  if (!outcome.ok) return bug("the manifest of a checked policy was refused");
  for (const artifact of outcome.value.filter(({ path }) => path === "manifest.bin"))
    assertFaithful("Manifest", planManifest(order.policy, context), artifact);
  for (const { name, own } of order.policy.services) {
    const artifact = outcome.value.find(({ path }) => path === `services/${name}.bin`);
    if (own !== undefined && artifact !== undefined) assertFaithful("ServiceMethods", own.methods, artifact);
  }
  return outcome.value;
}

/**
 * Decodes an artefact again, with a decoder that shares no code with the encoder, and compares the result with `meant`.
 * Any difference is a defect of capc.
 */
function assertFaithful(struct: ReadbackStruct, meant: unknown, artifact: Artifact): void {
  const difference = findReadbackDifference(struct, meant, requireInMemory(artifact));
  if (difference !== undefined) bug(`${artifact.path} does not say what was meant: ${difference}`);
}

function takeOnly(outcome: Outcome<readonly Artifact[]>): Artifact {
  const [artifact] = outcome.ok ? outcome.value : [];
  return artifact ?? bug("the artefact of a checked policy was refused");
}

function requireInMemory({ path, bytes }: Artifact): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : bug(`${path} is not in memory`);
}
