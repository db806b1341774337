import { bootable, foundBooting } from "../../boot/testing/stand-ins.ts";

export const findings = async () =>
  (await foundBooting(bootable(undefined, { "/boot/kernel": "These are the words of no kernel." }))).diagnostics;
