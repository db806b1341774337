import { runProgram } from "../../lib/wire/program.ts";
import { runEgress } from "./run.ts";

await runProgram(runEgress);
