import { bootable, foundBooting } from "../../../dev/fixtures/boot/stand-ins.ts";

export const findings = async () => (await foundBooting(bootable())).diagnostics;
