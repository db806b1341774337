// Describes a bootable image: what it contains, and whether the signed manifest covers exactly this content.

import type { Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import {
  IMAGE_PATHS,
  LIMINE_VOLUME_NAME,
  MOST_MANIFEST_BYTES,
  VOLUME_NAME,
} from "../../../targets/contract/artifact.ts";
import { readUefiProgram } from "./boot-modes.ts";
import { type Description, encodeHex, formatTable } from "./description.ts";
import { describeDifference, describeParts, describeProvenance } from "./documents.ts";
import { findTreeFault } from "./hash-tree.ts";
import { readImageManifest } from "./image-manifest.ts";
import { findInitrd } from "./initrd.ts";
import type { IsoFile, ReadAt } from "./iso-reader.ts";
import { describeJails } from "./jails.ts";
import { describeLevel } from "./level.ts";
import { describeLimineImage } from "./limine-image.ts";
import { describeManifest } from "./manifest.ts";
import { digestOf, openImage, readDifference, readImageFile } from "./opened.ts";
import { describeSignature, readSignature } from "./signature.ts";
import { describeStates } from "./states.ts";
import { describeTables } from "./tables.ts";
import { describeTrust } from "./trust.ts";
import { findTreesFault } from "./two-trees.ts";

export function describeImage(readAt: ReadAt, size: number, known: Uint8Array | undefined): Description | undefined {
  const image = openImage(readAt, size);
  if (image === undefined) return undefined;
  if (image.volume === LIMINE_VOLUME_NAME) return describeLimineImage(image, known);
  const readSmall = (path: string, most = MOST_MANIFEST_BYTES) => readImageFile(image, path, most);
  const digests = new Map(image.files.map((each) => [each.path, digestOf(image, each)]));
  const manifestBytes = readSmall(IMAGE_PATHS.manifest);
  const manifest = manifestBytes === undefined ? undefined : describeManifest(manifestBytes);
  const signatureBytes = readSmall(IMAGE_PATHS.manifestSignature);
  const signed = signatureBytes === undefined ? undefined : readSignature(signatureBytes);
  const signature = signed === undefined ? undefined : describeSignature(signed, manifestBytes, known);
  const initrd = findInitrd(image);
  const trust = describeTrust(initrd.bytes, signed);
  const read = readImageManifest(image);
  const ways = { bios: digests.has(IMAGE_PATHS.kernel), program: readUefiProgram(image) };
  const level = describeLevel(read?.trust ?? "media", ways);
  const more = [
    describeParts(readSmall(IMAGE_PATHS.sbom)),
    describeProvenance(readSmall(IMAGE_PATHS.attestation), signed, digests),
    describeDifference(readDifference(image), signed, digests),
    ...(read === undefined ? [] : describeStates(read, readSmall)),
    ...describeJailsAndTables(read, readSmall(IMAGE_PATHS.tables, MOST_TABLES_BYTES), initrd.bytes),
  ];
  const otherTree = findTreesFault(image.files, readAt);
  const files = image.files.map(({ path, size: bytes }) => [digests.get(path) ?? "", `${bytes}`, path]);
  return {
    kind: "image",
    facts: {
      volume: image.volume,
      ...level.facts,
      files: files.map(([sha256, bytes, path]) => ({ path, size: Number(bytes), sha256 })),
      ...signature?.facts,
      ...trust.facts,
      ...Object.assign({}, ...more.map(({ facts }) => facts)),
      ...manifest?.facts,
    },
    lines: [
      `image, volume ${image.volume}, ${size} bytes`,
      ...level.lines,
      ...(signature?.lines ?? []),
      ...trust.lines,
      "",
      ...formatTable(files),
      "",
      ...(manifest?.lines ?? []),
      "",
      ...more.flatMap(({ lines }) => lines),
    ],
    faults: [
      ...(image.volume === VOLUME_NAME ? [] : [`the volume is not named ${VOLUME_NAME}, so init does not take it`]),
      ...(otherTree === undefined ? [] : [otherTree]),
      ...(manifest === undefined ? [`there is no manifest at ${IMAGE_PATHS.manifest}`] : []),
      ...(signature === undefined ? ["the manifest is not signed"] : signature.faults),
      ...trust.faults,
      ...initrd.faults,
      ...level.faults,
      ...(read === undefined ? [] : findMismatchedFiles(read, digests)),
      ...(read === undefined ? [] : findCorruptTrees(read, image.files, readAt)),
      ...more.flatMap(({ faults }) => faults),
    ],
  };
}

/**
 * Returns a sentence for each file that the manifest names but the image lacks, or whose digest differs from the
 * manifest.
 */
function findMismatchedFiles({ root, artefacts }: Manifest, digests: ReadonlyMap<string, string>): string[] {
  return [root, ...artefacts].flatMap((blob) => {
    const found = digests.get(blob.path);
    if (found === undefined) return [`${blob.path} is not there, and the manifest names it`];
    return found === encodeHex(blob.sha256) ? [] : [`${blob.path} is not what the manifest says`];
  });
}

/**
 * Returns a sentence for each file whose blocks the kernel would refuse to read, because they do not match its hash
 * tree.
 */
function findCorruptTrees({ root, artefacts }: Manifest, files: readonly IsoFile[], readAt: ReadAt): string[] {
  return [root, ...artefacts].flatMap((blob) => {
    const file = files.find(({ path }) => path === blob.path);
    return (file && findTreeFault(blob, file, readAt)) ?? [];
  });
}

/** Describes which rights each process holds, by its jail and by the policy tables. */
function describeJailsAndTables(
  manifest: Manifest | undefined,
  tablesBytes: Uint8Array | undefined,
  initrd: Uint8Array | undefined,
): readonly Description[] {
  const tables = tablesBytes === undefined ? undefined : describeTables(tablesBytes);
  const jails = manifest === undefined ? [] : [describeJails(manifest, initrd)];
  if (tables === undefined) return jails;
  // `capc inspect` prints the digest of tables.bin in the list of files, so this description omits it.
  return [...jails, { ...tables, facts: { tables: tables.facts["tables"] }, lines: ["", ...tables.lines] }];
}

/** Maximum size of tables in bytes; `capc inspect` has the same limit for a file of tables. */
const MOST_TABLES_BYTES = 16 * 1024 * 1024;
