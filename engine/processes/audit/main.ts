import { runProgram } from "../../lib/wire/program.ts";
import { runAudit } from "./run.ts";

await runProgram(runAudit);
