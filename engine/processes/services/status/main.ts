import { runProgram } from "../../../lib/wire/program.ts";
import { runStatus } from "./run.ts";

await runProgram(runStatus);
