import { runProgram } from "../../lib/wire/program.ts";
import { runLoop } from "./run.ts";

await runProgram(runLoop);
