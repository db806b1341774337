// The audit process, over a directory of the host that the test names.
import { openCapset } from "../../wire/capset.ts";
import { startAudit } from "../audit.ts";

const { CAPOS_BOOT_ID } = process.env;
await startAudit(openCapset(), process.argv[2], CAPOS_BOOT_ID);
