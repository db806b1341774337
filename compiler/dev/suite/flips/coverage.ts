// Defines for each structure of an image what must happen if one of its bits is changed, and which check detects this.

import { dirname, extname } from "node:path";
import { IMAGE_PATHS } from "../../../../targets/contract/artifact.ts";
import { RESERVE_PATH } from "../../../../targets/iso/places.ts";
import { TREE } from "./structures.ts";

/**
 * Outcome that a changed bit must have. `named`: init refuses the image with the name of the file. `refusedOrSame`:
 * init refuses the image, or the change has no effect on the data that init uses. `unread`: init never reads the
 * structure.
 */
export type Claim = "named" | "refusedOrSame" | "unread";

export interface Cover {
  readonly claim: Claim;
  /** Check that detects a change, or the reason why no check detects it. */
  readonly why: string;
}

const FIRMWARE =
  "no check finds the change; if the image is sealed, the firmware nevertheless starts only signed programs";
const BIOS = "media-trusted: no check finds the change; a sealed image does not contain it";
const SIGNED_START = "sealed: the firmware, by the program's signature; media-trusted: no check finds the change";
const SIGNATURE = ".sig";
const NOBODY = "no program reads it";

const BY_NAME: Readonly<Record<string, Cover>> = {
  "master boot record": { claim: "unread", why: BIOS },
  "partition table": { claim: "unread", why: FIRMWARE },
  "partition table: entries": { claim: "unread", why: FIRMWARE },
  "partition table, second copy": { claim: "unread", why: FIRMWARE },
  "partition table, second copy: entries": { claim: "unread", why: FIRMWARE },
  "boot volume descriptor (El Torito)": { claim: "unread", why: FIRMWARE },
  "primary volume descriptor": {
    claim: "refusedOrSame",
    why: "init, which compares the medium's name in the descriptor and reads no other field",
  },
  "supplementary volume descriptor, whose folders init reads": {
    claim: "refusedOrSame",
    why: "init's reader; the data to which the descriptor refers is signed or has a digest",
  },
  "terminator of the volume descriptors": {
    claim: "refusedOrSame",
    why: "no check is needed: this descriptor ends a search, and init's reader also bounds this search",
  },
  "folders and path tables": {
    claim: "refusedOrSame",
    why: "init's reader; the data to which folders and tables refer is signed or has a digest",
  },
  padding: { claim: "unread", why: NOBODY },
  [IMAGE_PATHS.attestation]: {
    claim: "unread",
    why: "its own signature, which `capc inspect` and `capc verify` check",
  },
  [IMAGE_PATHS.difference]: {
    claim: "unread",
    why: "its own signature, and the attestation's digest, which `capc inspect` and `capc verify` check",
  },
  [RESERVE_PATH]: { claim: "unread", why: NOBODY },
  [IMAGE_PATHS.kernel]: { claim: "unread", why: BIOS },
  [IMAGE_PATHS.initrd]: { claim: "unread", why: BIOS },
  [`${IMAGE_PATHS.efi}: the file system`]: { claim: "unread", why: FIRMWARE },
  [`${IMAGE_PATHS.efi}: the program`]: { claim: "unread", why: SIGNED_START },
  [`${IMAGE_PATHS.efi}: .osrel`]: { claim: "unread", why: SIGNED_START },
  [`${IMAGE_PATHS.efi}: .cmdline`]: {
    claim: "unread",
    why: "sealed: the firmware, by the program's signature; always: init, which compares the command line with the manifest",
  },
  [`${IMAGE_PATHS.efi}: .linux`]: { claim: "unread", why: SIGNED_START },
  [`${IMAGE_PATHS.efi}: .initrd`]: { claim: "unread", why: SIGNED_START },
  [IMAGE_PATHS.manifest]: { claim: "named", why: "its signature, which a key of the initrd verifies" },
  [IMAGE_PATHS.manifestSignature]: { claim: "named", why: "init, which verifies this signature" },
  [IMAGE_PATHS.root]: {
    claim: "named",
    why: "dm-verity, at each read: the machine stops; the root hash is in the manifest",
  },
};

/** Folders of weights and of their cards. */
const [WEIGHTS, CARDS] = [dirname(IMAGE_PATHS.weights("")), dirname(IMAGE_PATHS.card(""))];
const TREED: Cover = {
  claim: "named",
  why: "dm-verity, at each read of the file, which uses the hash tree; the root hash is in the manifest",
};
const OF_WEIGHTS: Cover = {
  claim: "named",
  why: "dm-verity, at each read: the processes that use the weights end; the root hash is in the card and in the manifest",
};
const OF_STATES: Cover = {
  claim: "named",
  why: "dm-verity, at each read: the processes that use the file end; the root hash is in the manifest",
};
const OF_CARD: Cover = { claim: "named", why: "init, which at the start verifies this signature by a key for weights" };

const LOADER: Cover = { claim: "unread", why: BIOS };
const DIGESTED: Cover = { claim: "named", why: "its digest in the manifest" };

/**
 * Returns the claim about a structure (a part of the image, such as a file or a hash tree), or `undefined` if there is
 * no claim. Each new structure needs a claim.
 */
export function findCover(structure: string): Cover | undefined {
  const known = BY_NAME[structure];
  if (known !== undefined) return known;
  if (structure.endsWith(TREE)) return TREED;
  if (structure.startsWith("/isolinux/")) return LOADER;
  if (structure.startsWith(`${WEIGHTS}/`))
    return structure.endsWith(extname(IMAGE_PATHS.states(""))) ? OF_STATES : OF_WEIGHTS;
  if (structure.startsWith(`${CARDS}/`) && structure.endsWith(SIGNATURE)) return OF_CARD;
  return structure.startsWith("/capos/") ? DIGESTED : undefined;
}

/** Returns init's answer to a change if it contradicts the claim, or `undefined` if it matches the claim. */
export function findFault(structure: string, cover: Cover, answer: string): string | undefined {
  const refused = answer.startsWith("refused: ");
  switch (cover.claim) {
    case "unread":
      return answer === "same" ? undefined : answer;
    case "refusedOrSame":
      return refused || answer === "same" ? undefined : answer;
    case "named":
      return refused && isNamed(structure, answer) ? undefined : answer;
  }
}

/**
 * Returns whether a refusal names the structure. If a signature was changed, the refusal may also name the signed file.
 * If a hash tree was changed, the refusal names the file of that tree.
 */
function isNamed(structure: string, answer: string): boolean {
  const file = structure.endsWith(TREE) ? structure.slice(0, -TREE.length) : structure;
  const names = file.endsWith(SIGNATURE) ? [file, file.slice(0, -SIGNATURE.length)] : [file];
  return names.some((name) => answer.startsWith(`refused: ${name} — `));
}
