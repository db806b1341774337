import { runProgram } from "../../../lib/wire/program.ts";
import { runRemote } from "./run.ts";

await runProgram(runRemote);
