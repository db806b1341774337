// Finds the firmware of a machine in QEMU. BIOS is QEMU's own; the UEFI firmware is Debian's build of OVMF.

import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../engine/lib/result/result.ts";

/** Firmwares that `--firmware` can name. */
export const FIRMWARES = ["bios", "uefi"] as const;
export type FirmwareName = (typeof FIRMWARES)[number];

export type Firmware =
  | { readonly kind: "bios" }
  /**
   * Paths on this machine: the program of the firmware, and its variables before the first start. The guest gets a copy
   * of the variables.
   */
  | {
      readonly kind: "uefi";
      readonly program: string;
      readonly variables: string;
      /** Whether the firmware starts only programs that its owner signed. */
      readonly secure: boolean;
    };

const FOLDER = "/usr/share/OVMF";
const PROGRAM = "OVMF_CODE_4M.fd";
/**
 * UEFI firmware that supports Secure Boot. This firmware protects its variables from the system with a processor mode
 * that the system cannot enter.
 */
const SECURE_PROGRAM = "OVMF_CODE_4M.secboot.fd";
const VARIABLES = "OVMF_VARS_4M.fd";

export function findFirmware(name: FirmwareName, { secure = false, folder = FOLDER } = {}): Result<Firmware> {
  if (name === "bios") return { ok: true, value: { kind: "bios" } };
  const [program, variables] = [join(folder, secure ? SECURE_PROGRAM : PROGRAM), join(folder, VARIABLES)];
  for (const path of [program, variables]) {
    if (!isReadable(path)) return { ok: false, reason: `${path} is not there: UEFI is Debian's package ovmf` };
  }
  return { ok: true, value: { kind: "uefi", program, variables, secure } };
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
