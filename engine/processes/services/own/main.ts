import { runProgram } from "../../../lib/wire/program.ts";
import { runOwn } from "./run.ts";

void runProgram(runOwn);
