import { bootable, foundBooting } from "../../../dev/fixtures/boot/stand-ins.ts";

export const findings = async () =>
  (await foundBooting(bootable(undefined, { "/boot/kernel": "These are the words of no kernel." }))).diagnostics;
