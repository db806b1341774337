import { runProgram } from "../../lib/wire/program.ts";
import { runGate } from "./run.ts";

void runProgram(runGate);
