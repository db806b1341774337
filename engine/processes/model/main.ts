import { runProgram } from "../../lib/wire/program.ts";
import { runStub } from "./run.ts";

void runProgram(runStub);
