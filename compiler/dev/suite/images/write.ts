// Writes images like `capc build`, but with changes of the manifest before it is signed, and with additional files.

import { join } from "node:path";
import type { Root } from "../../../../engine/image/rootfs/assemble.ts";
import { bootFiles } from "../../../../engine/image/rootfs/boot-files.ts";
import { Manifest } from "../../../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../../../engine/lib/wire/index.ts";
import { type Artifact, listKernelParameters } from "../../../../targets/contract/artifact.ts";
import type { Origins, Policy } from "../../../../targets/contract/policy.ts";
import { writeIso } from "../../../../targets/iso/write-iso.ts";
import { createManifestArtifacts, planManifest } from "../../../../targets/manifest/manifest.ts";
import { encodeTrust, type SigningKey, signArtefact } from "../../../../targets/manifest/signing.ts";
import { createTablesArtifact } from "../../../../targets/tables/tables.ts";
import { listWeightsFiles, type WeightsInImage } from "../../../artefacts/products/weights.ts";
import { compile } from "../../../compile.ts";
import { createDiskHost } from "../../../phases/source/index.ts";
import { CHECKOUT } from "../stage.ts";

interface ImagePlan {
  readonly policy: Policy;
  readonly origins: Origins;
  readonly root: Root;
  /** Key that signs the image. The machine also accepts weights that this key signed. */
  readonly key: SigningKey;
  /** Weights of the page's models. */
  readonly weights?: ReadonlyMap<string, WeightsInImage>;
  readonly change: (manifest: Manifest) => Manifest;
  /** Additional files below /capos that the changed manifest names. */
  readonly more?: readonly Artifact[];
  /** Additional files of weights that the changed manifest names. */
  readonly moreWeights?: ReadonlyMap<string, WeightsInImage>;
  readonly networked: boolean;
  readonly out: string;
}

/** Folder of cached root file systems and weights. */
export const CACHE = join(CHECKOUT, "build/cache");

/**
 * Returns the policy of a page on the disk. If the page does not compile, throws an error with the messages of its
 * findings.
 */
export async function compileFile(path: string): Promise<{ readonly policy: Policy; readonly origins: Origins }> {
  const { policy, origins, diagnostics } = await compile(createDiskHost(), path);
  if (policy === undefined || origins === undefined)
    throw new Error(`${path}: ${diagnostics.map(({ message }) => message).join("; ")}`);
  return { policy, origins };
}

/** Writes the image. Throws if a target refuses the page, or if the ISO cannot be written. */
export async function writeImage(plan: ImagePlan): Promise<void> {
  const { policy, origins, root, key, weights, change, more = [], moreWeights = new Map(), networked, out } = plan;
  const tables = unwrapArtifacts(createTablesArtifact(policy));
  const context = { tables: getBytes(tables[0]), root, origins, key, ...(weights && { weights }) };
  const { systemId, version } = policy.tables;
  const others = unwrapArtifacts(createManifestArtifacts(policy, context)).filter(
    ({ path }) => !path.startsWith("manifest.bin"),
  );
  const manifest = encodeMessage(Manifest, change(planManifest(policy, context)));
  const trust = encodeTrust({ systemId, version }, key, { weights: [key.publicKey] });
  const started = { machine: "vm", encrypted: false, networked, screen: false, trust } as const;
  const written = await writeIso({
    root: { file: root.file },
    start: { bios: { ...bootFiles(CHECKOUT, started), kernelParameters: listKernelParameters(policy.image.console) } },
    artifacts: [
      ...[...tables, ...others, ...more].map(({ path, bytes }) => ({ path: `capos/${path}`, bytes })),
      { path: "capos/manifest.bin", bytes: manifest },
      { path: "capos/manifest.bin.sig", bytes: signArtefact({ purpose: "image", systemId, version }, manifest, key) },
      ...listWeightsFiles(new Map([...(weights ?? []), ...moreWeights])),
    ],
    out,
    sourceDateEpoch: 0,
  });
  if (!written.ok) throw new Error(written.reason);
}

function unwrapArtifacts(outcome: ReturnType<typeof createTablesArtifact>): readonly Artifact[] {
  if (!outcome.ok) throw new Error("a target refused the page");
  return outcome.value;
}

function getBytes(artifact: Artifact | undefined): Uint8Array {
  if (artifact?.bytes instanceof Uint8Array) return artifact.bytes;
  throw new Error("there are no tables");
}
