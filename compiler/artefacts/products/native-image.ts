// Makes an image that starts upstream's kernel with Limine. The operator provides the kernel and Limine as files, which
// the compiler has read and validated. As for any image, a parts list and an attestation describe its content, but
// upstream's runtime checks neither of them.

import { join } from "node:path";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { createSbom, type Part } from "../../../targets/attest/sbom.ts";
import type { ResourceDigest, SmallArtifact } from "../../../targets/attest/statement.ts";
import { bootTree, type SmallFile } from "../../../targets/capos-native/index.ts";
import { type Artifact, LIMINE_PATHS } from "../../../targets/contract/artifact.ts";
import type { Policy } from "../../../targets/contract/policy.ts";
import type { BootPlan, UpstreamPlan } from "../../../targets/contract/upstream-plan.ts";
import { writeLimineIso } from "../../../targets/iso/write-limine-iso.ts";
import { DEFAULT_WRITER } from "../../../targets/iso/writer.ts";
import { loadDevelopmentKey } from "../../../targets/manifest/development-key.ts";
import type { SigningKey } from "../../../targets/manifest/signing.ts";
import { openDevelopmentKeyFile } from "../../host/development-key-file.ts";
import { ensureStateFolder } from "../../host/state-folder.ts";
import { readCapcVersion } from "../../host/version.ts";
import { computeSha256 } from "../inspect/description.ts";
import { findWriterOnlyDrift } from "./drift.ts";
import { convertToFormats } from "./formats.ts";
import { attest, CHECKOUT, digestArtifact, placeInImage, recordOf, shortenToLine } from "./image.ts";
import { IMAGE_NAME } from "./names.ts";
import type { Order } from "./order.ts";

export interface NativeImage {
  /** Content of the image other than the manifest and the tables. */
  readonly parts: readonly Artifact[];
  /** The image, in each requested format. */
  readonly forms: readonly Artifact[];
  readonly attestations: readonly Artifact[];
  /** Key that signed the attestations. */
  readonly signer: Pick<SigningKey, "publicKey" | "development">;
}

/** Makes the image; fails with the reason if it cannot be made. */
export async function makeNativeImage(
  order: Order,
  manifest: SmallArtifact,
  tables: SmallArtifact,
): Promise<Result<NativeImage>> {
  const { policy, scratch, sourceDateEpoch, writer = DEFAULT_WRITER, progress } = order;
  const refused = findFault(order);
  if (refused !== undefined) return refuse(refused);
  const drift = findWriterOnlyDrift(CHECKOUT, join(ensureStateFolder(), "cache", "digests.json"), writer);
  if (order.locked === true && drift.sentences.length > 0) return refuse(`--locked, and ${drift.sentences.join("; ")}`);
  for (const sentence of drift.sentences) order.warn?.(sentence);
  const found = order.key === undefined ? loadDevelopmentKey(openDevelopmentKeyFile()) : accept(order.key);
  if (!found.ok) return found;
  const key = found.value;
  const { systemId, version } = policy.tables;
  const plan = policy.image.upstream ?? bug("an image for upstream's kernel of a page for another");
  const boot = plan.boot ?? bug("an image without the files that start it");
  const tree = bootTree({ boot, systemId, version, manifest: manifest.bytes });
  const sbom = listParts(order, plan, tree, boot);
  const parts = [manifest, tables, sbom];
  const record = recordOf(order, parts, key);
  if (!record.ok) return record;
  const subjects = [...digestOperatorFiles(tree), ...[...parts, ...record.value].map(digestArtifact)];
  const attestations = [attest(order, subjects, drift.makers, key), ...record.value];
  const iso = join(scratch, "image.iso");
  const written = await writeLimineIso({
    files: [...tree, ...[...parts, ...attestations].map(placeInImage)],
    out: iso,
    sourceDateEpoch,
    writer,
    progress: (hundredths) => progress.step(`image, ${hundredths} % written`),
  });
  if (!written.ok) return refuse(shortenToLine(written.reason));
  const finished = { iso, start: undefined, systemId, version, sourceDateEpoch, scratch };
  const others = await convertToFormats(order.formats ?? new Set(), finished);
  if (!others.ok) return others;
  return accept({
    parts: [sbom],
    forms: [{ path: IMAGE_NAME, bytes: { file: iso } }, ...others.value],
    attestations,
    signer: key,
  });
}

/**
 * Returns the first option that an image for upstream's kernel cannot satisfy, or `undefined`. Such an option is an
 * error, because an option that is ignored silently seems to have an effect.
 */
function findFault({ secureBoot, unproved = 0, alsoTrust = [], trustWeights = [] }: Order): string | undefined {
  if (secureBoot !== undefined) return "--secure-boot-key: Limine's program for UEFI is the operator's, signed or not";
  if (unproved > 0) return "--unproved: upstream's kernel has no banner that would say so";
  if (alsoTrust.length > 0) return "--also-trust: nothing in such an image checks a signature";
  return trustWeights.length > 0 ? "--trust-weights: such an image has no weights" : undefined;
}

const UNKNOWN = "not said";

/**
 * Returns the parts list of an image: the programs in its manifest, and the operator's files. For an operator's file,
 * the list has a digest, and a version only if the file states one.
 */
function listParts(
  { policy, sourceDateEpoch }: Order,
  { services }: UpstreamPlan,
  tree: readonly SmallFile[],
  { limineVersion }: BootPlan,
): Artifact {
  const programs = new Map(services.map(({ binary, bytes }) => [binary, bytes]));
  const brought = tree.filter(({ path }) => path !== LIMINE_PATHS.settings);
  const parts = [
    ...[...programs].map(([name, bytes]) => createProgramPart(policy, name, bytes)),
    ...brought.map(({ path, bytes }): Part => {
      const isKernel = path === LIMINE_PATHS.kernel;
      const version = isKernel || limineVersion === "" ? UNKNOWN : limineVersion;
      const source = "supplied by who built the image";
      return {
        name: path.slice(1),
        package: isKernel ? "kernel" : "limine",
        version,
        sha256: computeSha256(bytes),
        source,
      };
    }),
  ];
  const outcome = createSbom(policy, { parts, capc: readCapcVersion(), sourceDateEpoch });
  const [artifact] = outcome.ok ? outcome.value : [];
  return artifact ?? bug("the parts of an image could not be listed");
}

function createProgramPart({ tables }: Policy, name: string, bytes: Uint8Array): Part {
  const from = { package: `${tables.systemId}-${name}`, version: tables.version };
  return { name: `manifest.bin/${name}`, ...from, sha256: computeSha256(bytes), source: "the page's own package" };
}

/**
 * Returns the digests of the operator's files in the image. Limine's BIOS file is left out, because the writer fills a
 * table in it. The attestation lists the original file among its sources.
 */
function digestOperatorFiles(tree: readonly SmallFile[]): readonly ResourceDigest[] {
  const brought = tree.filter(({ path }) => path !== LIMINE_PATHS.bios);
  return brought.map(({ path, bytes }) => ({ name: path.slice(1), sha256: computeSha256(bytes) }));
}
