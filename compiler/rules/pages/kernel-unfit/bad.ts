import { compileForBoot, createBootable } from "../../../dev/fixtures/boot/stand-ins.ts";

export const findings = async () =>
  (await compileForBoot(createBootable(undefined, { "/boot/kernel": "These are the words of no kernel." })))
    .diagnostics;
