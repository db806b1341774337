import type { Program } from "../../lib/wire/program.ts";
import { startAudit } from "./audit.ts";
import { openDevice } from "./device.ts";

export const runAudit: Program = async (capset, surroundings) => {
  const partition = capset.partition("log");
  await startAudit(capset, partition === undefined ? undefined : openDevice(partition), surroundings);
};
