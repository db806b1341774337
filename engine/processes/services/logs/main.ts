import { runProgram } from "../../../lib/wire/program.ts";
import { runLogs } from "./run.ts";

await runProgram(runLogs);
