// Makes the image: its boot files, its attestations, and the file that contains all of them.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Root } from "../../../engine/image/rootfs/assemble.ts";
import { bootFiles } from "../../../engine/image/rootfs/boot-files.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import {
  createDifferenceArtifact,
  DIFFERENCE_PATH,
  DIFFERENCE_SUBJECTS,
  MOST_DIFFERENCE_BYTES,
} from "../../../targets/attest/difference.ts";
import { createProvenance, type Material } from "../../../targets/attest/provenance.ts";
import type { ResourceDigest } from "../../../targets/attest/statement.ts";
import { type Artifact, IMAGE_PATHS, listKernelParameters } from "../../../targets/contract/artifact.ts";
import type { Policy } from "../../../targets/contract/policy.ts";
import type { Frame } from "../../../targets/iso/frame.ts";
import { makeIso, NO_IMAGES } from "../../../targets/iso/make-iso.ts";
import type { Start } from "../../../targets/iso/places.ts";
import { DEFAULT_WRITER } from "../../../targets/iso/writer.ts";
import { encodeTrust, type SigningKey } from "../../../targets/manifest/signing.ts";
import { ensureStateFolder } from "../../host/state-folder.ts";
import { readCapcVersion } from "../../host/version.ts";
import { computeSha256, encodeHex } from "../inspect/description.ts";
import type { DriftReport } from "./drift.ts";
import { digestOf } from "./file-digest.ts";
import { convertToFormats } from "./formats.ts";
import { IMAGE_NAME } from "./names.ts";
import type { Order, Weights } from "./order.ts";
import { createPacker } from "./packed.ts";
import { derivePurl, selectInputs } from "./parts.ts";
import { startOf } from "./start.ts";

export const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

interface Image {
  readonly artifact: Artifact;
  /** The image in the other requested formats. */
  readonly others: readonly Artifact[];
  /** Attestations of how the image was made, and of its differences in meaning from an earlier one. */
  readonly attestations: readonly Artifact[];
  readonly frame: Frame;
}

/**
 * Input of `makeImage`: `parts` are files named as in the output folder, `key` signs the attestations, and `vouchers`
 * are public keys that signed the weights.
 */
interface ImageParts {
  readonly parts: readonly Artifact[];
  readonly root: Root;
  readonly key: SigningKey;
  readonly drift: DriftReport;
  readonly vouchers?: readonly Uint8Array[];
}

/**
 * Makes the image. `parts` are named as in the output folder; `vouchers` are keys that signed the weights of the image.
 * Fails if the image cannot be made.
 */
export async function makeImage(
  order: Order,
  { parts, root, key, drift, vouchers = [] }: ImageParts,
): Promise<Result<Image>> {
  const {
    policy,
    scratch,
    sourceDateEpoch,
    unproved,
    progress,
    writer = DEFAULT_WRITER,
    earlier = NO_IMAGES,
    explain,
    weights = [],
  } = order;
  const { systemId, version } = policy.tables;
  const { machine, firmware, console } = policy.image;
  const encrypted = policy.storage?.encrypted ?? false;
  const pack = createPacker(join(ensureStateFolder(), "cache/packed"));
  const files = bootFiles(CHECKOUT, {
    machine,
    encrypted,
    networked: policy.network !== undefined,
    screen: console === "screen",
    trust: encodeTrust({ systemId, version }, key, { images: order.alsoTrust ?? [], weights: vouchers }),
    pack,
  });
  const start = startOf({
    files,
    firmware,
    systemId,
    version,
    parameters: listKernelParameters(console, unproved),
    signer: order.secureBoot,
    signedProgram: order.signedProgram,
    scratch,
  });
  if (!start.ok) return start;
  const record = recordOf(order, parts, key);
  if (!record.ok) return record;
  const subjects = [
    ...[...parts, ...record.value].map(digestArtifact),
    ...collectDigests(start.value, root),
    ...weights.map(digestWeights),
  ];
  const attestations = [
    attest(order, subjects, [...listLockedMaterials(policy, drift), ...drift.makers], key),
    ...record.value,
  ];
  const out = join(scratch, "image.iso");
  const made = await makeIso(
    {
      root: { file: root.file, sha256: encodeHex(root.sha256) },
      start: start.value,
      artifacts: [...[...parts, ...attestations].map(placeInImage), ...weights],
      out,
      sourceDateEpoch,
      writer,
      progress: (hundredths) => progress.step(`image, ${hundredths} % written`),
    },
    earlier,
  );
  if (!made.ok) return refuse(shortenToLine(made.reason));
  explain?.(made.wholeBecause === undefined ? REWRITTEN : `the image was written whole: ${made.wholeBecause}`);
  const finished = { iso: out, start: start.value, systemId, version, sourceDateEpoch, scratch };
  const others = await convertToFormats(order.formats ?? new Set(), finished);
  if (!others.ok) return others;
  return accept({
    artifact: { path: IMAGE_NAME, bytes: { file: out } },
    others: others.value,
    attestations,
    frame: made.frame,
  });
}

const REWRITTEN = "the image is the last one but for what changed";

function listLockedMaterials(policy: Policy, { found }: DriftReport): readonly Material[] {
  return selectInputs(CHECKOUT, policy, found).map((input) => {
    const purl = derivePurl(input);
    return { name: input.name, sha256: input.sha256, ...(purl === undefined ? {} : { purl }) };
  });
}

/** Makes the attestation of an image. `materials` are the files and tools from which it is made, in addition to the sources of the page. */
export function attest(
  { policy, sources = [], sourceDateEpoch }: Order,
  subjects: readonly ResourceDigest[],
  materials: readonly Material[],
  key: SigningKey,
): Artifact {
  const outcome = createProvenance(policy, {
    subjects: [...subjects].sort((left, right) => (left.name < right.name ? -1 : 1)),
    materials: [...sources, ...materials],
    key,
    versions: { capc: readCapcVersion(), node: process.versions.node },
    sourceDateEpoch,
  });
  const [artifact] = outcome.ok ? outcome.value : [];
  return artifact ?? bug("an image could not be attested");
}

/**
 * Returns the record of the differences from an earlier image, if it is requested. Fails if the record is too large.
 */
export function recordOf(
  { difference }: Order,
  parts: readonly Artifact[],
  key: SigningKey,
): Result<readonly Artifact[]> {
  if (difference === undefined) return accept([]);
  if (difference instanceof Uint8Array) return accept([{ path: DIFFERENCE_PATH, bytes: difference }]);
  const subjects = parts.map(digestArtifact).filter(({ name }) => DIFFERENCE_SUBJECTS.includes(`/${name}`));
  const artifact = createDifferenceArtifact(difference, subjects, key);
  return artifact.bytes.length > MOST_DIFFERENCE_BYTES ? refuse(TOO_DIFFERENT) : accept([artifact]);
}

const TOO_DIFFERENT = `the record of what differs would have more than ${MOST_DIFFERENCE_BYTES} bytes; leave --previous out`;

/** Returns the path of the artefact in the image, without a leading slash, and its digest. */
export function digestArtifact({ path, bytes }: Artifact): ResourceDigest {
  return {
    name: `capos/${path}`,
    sha256: bytes instanceof Uint8Array ? computeSha256(bytes) : bug(`${path} is not in memory`),
  };
}

function digestWeights({ path, bytes }: Weights): ResourceDigest {
  return { name: path, sha256: bytes.sha256 };
}

function collectDigests({ bios, uefi }: Start, root: Root): readonly ResourceDigest[] {
  const nameDigest = (path: string, digest: string): ResourceDigest => ({ name: path.slice(1), sha256: digest });
  return [
    nameDigest(IMAGE_PATHS.root, encodeHex(root.sha256)),
    ...(bios === undefined
      ? []
      : [
          nameDigest(IMAGE_PATHS.kernel, digestOf(bios.kernel)),
          nameDigest(IMAGE_PATHS.initrd, computeSha256(bios.initrd)),
        ]),
    ...(uefi === undefined ? [] : [nameDigest(IMAGE_PATHS.efi, computeSha256(uefi.fileSystem))]),
  ];
}

/** Returns the artefact with its path in the image, which is below /capos. */
export function placeInImage({ path, bytes }: Artifact): Artifact {
  return { path: `/capos/${path}`, bytes };
}

/**
 * Shortens xorriso's output to one line: a sentence if the disk is full, otherwise the line that xorriso marks as a
 * failure. Without such a line, joins all lines.
 */
export function shortenToLine(words: string): string {
  if (words.includes("exceeds free space")) return "the disk is full: the image does not fit";
  const failure = words.split("\n").find((line) => /: (FAILURE|FATAL|SORRY) :/.test(line));
  return failure ?? words.replaceAll("\n", "; ");
}
