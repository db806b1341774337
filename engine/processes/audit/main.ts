import { openCapset } from "../../lib/wire/capset.ts";
import { startAudit } from "./audit.ts";
import { openDevice } from "./device.ts";

const { CAPOS_BOOT_ID } = process.env;
const capset = openCapset();
const partition = capset.partition("log");
await startAudit(capset, partition === undefined ? undefined : openDevice(partition), CAPOS_BOOT_ID);
