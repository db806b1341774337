// Describes how far the start of an image can be trusted. *Media-trusted*: corruption of the medium is detected, but
// not changes by an attacker who can write to it. *Sealed*: the image starts only with Secure Boot, so that such an
// attacker cannot run code of their own.

import { isSigned } from "../../../engine/image/uefi/pe.ts";
import type { Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import type { Description } from "./description.ts";

/** Ways in which a machine can start the image. */
interface Ways {
  readonly bios: boolean;
  /** Program that UEFI starts, or `undefined` if there is none. */
  readonly program: Buffer | undefined;
}

export function describeLevel(level: Manifest["trust"], ways: Ways): Description {
  const signed = ways.program !== undefined && isSigned(ways.program);
  const words = level === "sealed" ? SEALED : signed ? `${MEDIA}; ${WHERE_SEALED}` : MEDIA;
  return {
    kind: "level",
    facts: { trust: level, startsByBios: ways.bios, uefiProgramSigned: signed },
    lines: [`trust   ${words}`],
    faults: level === "sealed" ? findSealFaults(ways, signed ? "signed" : "unsigned") : [],
  };
}

const MEDIA = "media-trusted: corruption is found, a writer of the medium is not";
const WHERE_SEALED = "sealed where Secure Boot is on and the firmware has the key of its program";
const SEALED =
  "sealed: it starts only where Secure Boot is on, and a writer of the medium can run nothing that the firmware's keys do not sign";

/**
 * Returns the reasons why an image is not sealed although its manifest states that it is. Only the firmware can check
 * who signed the program, because it has the owner's key.
 */
function findSealFaults({ bios, program }: Ways, signing: "signed" | "unsigned"): string[] {
  const asks = "it asks to be sealed, but";
  return [
    ...(bios ? [`${asks} BIOS can start it`] : []),
    ...(program === undefined ? [`${asks} there is no program for UEFI in it`] : []),
    ...(program !== undefined && signing === "unsigned"
      ? [`${asks} its program for UEFI is not signed: Secure Boot does not start it`]
      : []),
  ];
}
