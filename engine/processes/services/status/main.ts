import { runProgram } from "../../../lib/wire/program.ts";
import { runStatus } from "./run.ts";

void runProgram(runStatus);
