import { bootable, foundBooting, standIns } from "../../../dev/fixtures/boot/stand-ins.ts";

const { "limine-bios.sys": older } = standIns({ version: "8.1.2" });

export const findings = async () =>
  (await foundBooting(bootable(undefined, { "/boot/limine/limine-bios.sys": older }))).diagnostics;
