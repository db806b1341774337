import { bootable, foundBooting } from "../../boot/testing/stand-ins.ts";

export const findings = async () => (await foundBooting(bootable())).diagnostics;
