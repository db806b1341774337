import { runProgram } from "../../../lib/wire/program.ts";
import { runLogs } from "./run.ts";

void runProgram(runLogs);
