import { runProgram } from "../../../lib/wire/program.ts";
import { runLocal } from "./run.ts";

void runProgram(runLocal);
