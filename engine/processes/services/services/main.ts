import { runProgram } from "../../../lib/wire/program.ts";
import { runServices } from "./run.ts";

void runProgram(runServices);
