// Chooses the machine on which an image is booted, from the options and the boot modes of the image.

import type { BootModes } from "../artefacts/inspect/boot-modes.ts";
import { FIRMWARES, type Firmware, type FirmwareName, findFirmware } from "./firmware.ts";
import { DEVICES, type MediumDevice } from "./qemu.ts";

export type Choice =
  | { readonly ok: true; readonly firmware: Firmware; readonly device: MediumDevice }
  | { readonly ok: false; readonly status: 2 | 3; readonly reason: string };

/** Debian's kernel for clouds has no driver for these devices. */
const FOR_PCS_ONLY: readonly MediumDevice[] = ["ahci-cd", "usb"];

/**
 * Chooses the firmware and the device of a machine. `starts` is `undefined` if the boot modes of the image are unknown;
 * then every firmware and device is allowed. The default is BIOS, or UEFI if the image does not allow BIOS or if Secure
 * Boot is requested.
 */
export function chooseMachine(
  asked: { readonly firmware: string | undefined; readonly device: string | undefined; readonly secure?: boolean },
  starts: BootModes | undefined,
): Choice {
  const name =
    findWord(FIRMWARES, asked.firmware) ?? (asked.secure === true || starts?.bios === false ? "uefi" : "bios");
  const device = findWord(DEVICES, asked.device) ?? "virtio";
  const unfit = starts === undefined ? undefined : explainUnfit(name, device, starts);
  if (unfit !== undefined) return { ok: false, status: 2, reason: unfit };
  if (asked.secure === true && name === "bios")
    return { ok: false, status: 2, reason: "Secure Boot is UEFI's: BIOS has none" };
  const found = findFirmware(name, { secure: asked.secure === true });
  return found.ok ? { ok: true, firmware: found.value, device } : { ok: false, status: 3, reason: found.reason };
}

function explainUnfit(firmware: FirmwareName, device: MediumDevice, starts: BootModes): string | undefined {
  if (!starts[firmware]) return `the image cannot be started by ${firmware}: its page says \`firmware\` of another`;
  if (starts.kernel?.includes("-cloud-") === true && FOR_PCS_ONLY.includes(device))
    return `the image's kernel has no driver for ${device}: it is for virtual machines; a page with \`machine pc\` makes one that has`;
  return undefined;
}

function findWord<W extends string>(words: readonly W[], word: string | undefined): W | undefined {
  return words.find((each) => each === word);
}
