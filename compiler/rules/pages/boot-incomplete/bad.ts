import { compileForBoot, createBootable } from "../../../dev/fixtures/boot/stand-ins.ts";

export const findings = async () => (await compileForBoot(createBootable(""))).diagnostics;
