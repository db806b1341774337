import { runProgram } from "../../lib/wire/program.ts";
import { runBroker } from "./run.ts";

await runProgram(runBroker);
