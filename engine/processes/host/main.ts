import { runProgram } from "../../lib/wire/program.ts";
import { runHost } from "./run.ts";

void runProgram(runHost);
