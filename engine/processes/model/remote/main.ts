import { runProgram } from "../../../lib/wire/program.ts";
import { runRemote } from "./run.ts";

void runProgram(runRemote);
