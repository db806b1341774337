import { openCapset } from "../wire/capset.ts";
import { directoryOnDisk, startAudit } from "./audit.ts";

const { CAPOS_BOOT_ID } = process.env;
const capset = openCapset();
await startAudit(capset, directoryOnDisk(capset.directory("log")), CAPOS_BOOT_ID);
