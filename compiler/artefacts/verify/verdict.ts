// What a comparison came to, for programs and for a person.

import type { Signature } from "../../../engine/lib/wire/generated/manifest.ts";
import { IMAGE_PATHS, MOST_MANIFEST_BYTES } from "../../../targets/contract/artifact.ts";
import type { SigningKey } from "../../../targets/manifest/signing.ts";
import { type Description, fingerprintOf, hex } from "../inspect/description.ts";
import { describeDifference } from "../inspect/documents.ts";
import { bytesOf, differenceIn, type OpenedImage, timeOf } from "../inspect/opened.ts";
import { doesHold, readSignature } from "../inspect/signature.ts";
import { type Compared, compareFiles, firstDifference } from "./compare.ts";
import { type SecureBootSignature, secureBootLine, secureBootOf } from "./secure-boot.ts";

/** As `capc schema verify` describes it. */
export interface Verdict {
  readonly reproduced: boolean;
  /** Seconds since 1970: the image's one time, with which the page was built again. */
  readonly sourceDateEpoch: number;
  readonly key: { readonly publicKey: string; readonly development: boolean };
  /** Whether the manifest's signature is one over the manifest. */
  readonly signatureHolds: boolean;
  /** Who signed the program that UEFI starts; null where nobody did. */
  readonly secureBoot: SecureBootSignature | null;
  /** The record of what it means otherwise than an earlier one; null where there is none. */
  readonly difference: { readonly says: string; readonly holds: boolean } | null;
  readonly files: readonly Compared[];
  /** Where bytes differ that belong to no file, if all files are the same. */
  readonly firstByte: number | null;
  /** What is wrong, a sentence each. */
  readonly faults: readonly string[];
}

export function verdictOn(image: OpenedImage, source: OpenedImage, key: SigningKey): Verdict {
  const files = compareFiles(image, source);
  const differing = files.filter((file) => file.image !== file.source);
  const firstByte = differing.length > 0 ? null : firstDifference(image, source);
  const signatureHolds = isSigned(image);
  const secureBoot = secureBootOf(image) ?? null;
  const record = recordOf(image, files);
  const faults = [
    ...(signatureHolds ? [] : ["the signature of its manifest does not hold"]),
    ...(secureBoot?.holds === false ? ["the signature of its program for UEFI does not hold"] : []),
    ...(record?.faults ?? []),
    ...differing.map(faultOf),
    ...(firstByte === null
      ? []
      : [`all files are the same, but not what stands around them, from byte ${firstByte} on`]),
  ];
  return {
    reproduced: faults.length === 0,
    sourceDateEpoch: timeOf(image),
    key: { publicKey: hex(key.publicKey), development: key.development },
    signatureHolds,
    secureBoot,
    difference: record && { says: record.lines.join("\n"), holds: record.faults.length === 0 },
    files,
    firstByte,
    faults,
  };
}

function recordOf(image: OpenedImage, files: readonly Compared[]): Description | null {
  const bytes = differenceIn(image);
  if (bytes === undefined) return null;
  const digests = new Map(
    files.flatMap(({ path, image: digest }) => (digest === null ? [] : [[path, digest] as const])),
  );
  return describeDifference(bytes, signatureIn(image), digests);
}

function faultOf({ path, image, source, where }: Compared): string {
  if (image === null) return `${path} is missing: the page gives it`;
  if (source === null) return `${path} is nothing that the page gives`;
  return `${path} differs: ${where}`;
}

function isSigned(image: OpenedImage): boolean {
  const manifest = bytesOf(image, IMAGE_PATHS.manifest, MOST_MANIFEST_BYTES);
  const signature = signatureIn(image);
  return manifest !== undefined && signature !== undefined && doesHold(signature, manifest);
}

function signatureIn(image: OpenedImage): Signature | undefined {
  const bytes = bytesOf(image, IMAGE_PATHS.manifestSignature, MOST_MANIFEST_BYTES);
  return bytes === undefined ? undefined : readSignature(bytes);
}

export function linesOf({
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
    `signed by ${fingerprintOf(Buffer.from(key.publicKey, "hex"))}, ${kind}: ${signatureHolds ? "holds" : "does NOT hold"}`,
    ...(secureBoot === null ? [] : [secureBootLine(secureBoot)]),
    ...(difference === null ? [] : [difference.says]),
    ...same.map(({ path, image }) => `${image}  ${path}`),
    reproduced
      ? `the page gives this image: ${files.length} files, and every byte around them`
      : `the page does not give this image: ${same.length} of ${files.length} files are the same`,
  ];
}
