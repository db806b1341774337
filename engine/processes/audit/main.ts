import { runProgram } from "../../lib/wire/program.ts";
import { runAudit } from "./run.ts";

void runProgram(runAudit);
