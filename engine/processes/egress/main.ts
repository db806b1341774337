import { runProgram } from "../../lib/wire/program.ts";
import { runEgress } from "./run.ts";

void runProgram(runEgress);
