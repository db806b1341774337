import { runProgram } from "../../lib/wire/program.ts";
import { runLoop } from "./run.ts";

void runProgram(runLoop);
