import { compileForBoot, createBootable, createStandIns } from "../../../dev/fixtures/boot/stand-ins.ts";

const { "limine-bios.sys": older } = createStandIns({ version: "8.1.2" });

export const findings = async () =>
  (await compileForBoot(createBootable(undefined, { "/boot/limine/limine-bios.sys": older }))).diagnostics;
