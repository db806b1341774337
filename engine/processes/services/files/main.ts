import { runProgram } from "../../../lib/wire/program.ts";
import { runFiles } from "./run.ts";

void runProgram(runFiles);
