// Describes the result of a comparison, for programs and for people.

import type { Signature } from "../../../engine/lib/wire/generated/manifest.ts";
import { IMAGE_PATHS, MOST_MANIFEST_BYTES } from "../../../targets/contract/artifact.ts";
import type { SigningKey } from "../../../targets/manifest/signing.ts";
import { computeFingerprint, type Description, encodeHex } from "../inspect/description.ts";
import { describeDifference } from "../inspect/documents.ts";
import { type OpenedImage, readCreationTime, readDifference, readImageFile } from "../inspect/opened.ts";
import { isSignatureValid, readSignature } from "../inspect/signature.ts";
import { compareFiles, type FileComparison, findFirstDifference } from "./compare.ts";
import { readSecureBoot, renderSecureBoot, type SecureBootSignature } from "./secure-boot.ts";

/** Result of a verification, in the form that `capc schema verify` describes. */
export interface Verdict {
  readonly reproduced: boolean;
  /** The only time that the image contains, in seconds since 1970. The page was built again with this time. */
  readonly sourceDateEpoch: number;
  readonly key: { readonly publicKey: string; readonly development: boolean };
  /** Whether the signature of the manifest verifies. */
  readonly signatureHolds: boolean;
  /** Signature of the UEFI program; `null` if it is unsigned. */
  readonly secureBoot: SecureBootSignature | null;
  /** Record of the differences in meaning from an earlier image; `null` if there is none. */
  readonly difference: { readonly says: string; readonly holds: boolean } | null;
  readonly files: readonly FileComparison[];
  /** Offset of the first byte that differs outside of files, if all files are equal; otherwise `null`. */
  readonly firstByte: number | null;
  /** Faults of the image, one sentence each. */
  readonly faults: readonly string[];
}

export function judgeImage(image: OpenedImage, source: OpenedImage, key: SigningKey): Verdict {
  const files = compareFiles(image, source);
  const differing = files.filter((file) => file.image !== file.source);
  const firstByte = differing.length > 0 ? null : findFirstDifference(image, source);
  const signatureHolds = isSigned(image);
  const secureBoot = readSecureBoot(image) ?? null;
  const record = recordOf(image, files);
  const faults = [
    ...(signatureHolds ? [] : ["the signature of its manifest does not hold"]),
    ...(secureBoot?.holds === false ? ["the signature of its program for UEFI does not hold"] : []),
    ...(record?.faults ?? []),
    ...differing.map(describeFault),
    ...(firstByte === null
      ? []
      : [`all files are the same, but not what stands around them, from byte ${firstByte} on`]),
  ];
  return {
    reproduced: faults.length === 0,
    sourceDateEpoch: readCreationTime(image),
    key: { publicKey: encodeHex(key.publicKey), development: key.development },
    signatureHolds,
    secureBoot,
    difference: record && { says: record.lines.join("\n"), holds: record.faults.length === 0 },
    files,
    firstByte,
    faults,
  };
}

function recordOf(image: OpenedImage, files: readonly FileComparison[]): Description | null {
  const bytes = readDifference(image);
  if (bytes === undefined) return null;
  const digests = new Map(
    files.flatMap(({ path, image: digest }) => (digest === null ? [] : [[path, digest] as const])),
  );
  return describeDifference(bytes, readManifestSignature(image), digests);
}

function describeFault({ path, image, source, where }: FileComparison): string {
  if (image === null) return `${path} is missing: the page gives it`;
  if (source === null) return `${path} is nothing that the page gives`;
  return `${path} differs: ${where}`;
}

function isSigned(image: OpenedImage): boolean {
  const manifest = readImageFile(image, IMAGE_PATHS.manifest, MOST_MANIFEST_BYTES);
  const signature = readManifestSignature(image);
  return manifest !== undefined && signature !== undefined && isSignatureValid(signature, manifest);
}

function readManifestSignature(image: OpenedImage): Signature | undefined {
  const bytes = readImageFile(image, IMAGE_PATHS.manifestSignature, MOST_MANIFEST_BYTES);
  return bytes === undefined ? undefined : readSignature(bytes);
}

export function renderVerdict({
  reproduced,
  key,
  signatureHolds,
  secureBoot,
  difference,
  files,
}: Verdict): readonly string[] {
  const same = files.filter(({ image, source }) => image === source);
  const kind = key.development ? "a development key" : "a key of its own";
  return [
    `signed by ${computeFingerprint(Buffer.from(key.publicKey, "hex"))}, ${kind}: ${signatureHolds ? "holds" : "does NOT hold"}`,
    ...(secureBoot === null ? [] : [renderSecureBoot(secureBoot)]),
    ...(difference === null ? [] : [difference.says]),
    ...same.map(({ path, image }) => `${image}  ${path}`),
    reproduced
      ? `the page gives this image: ${files.length} files, and every byte around them`
      : `the page does not give this image: ${same.length} of ${files.length} files are the same`,
  ];
}
